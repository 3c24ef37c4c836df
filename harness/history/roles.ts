import type { CallRole, Header, MessageRole } from './events.ts';

/**
 * Attribution: whose text is this? By unique token for calls, by unique marker for messages, never by order.
 * Every witness uses this one reader.
 */
export interface Roles {
  /** The call whose token the text contains; the first in the order of the header when several do. */
  callIn(text: string): CallRole | undefined;
  /** Every call whose token the text contains. */
  callsIn(text: string): CallRole[];
  /** Every message whose marker the text contains, in order of appearance. */
  messagesIn(text: string): MessageRole[];
}

/** Makes the reader for one hand-off's tokens and markers. */
export function rolesOf(header: Pick<Header, 'calls' | 'messages'>): Roles {
  const calls = Object.entries(header.calls) as [CallRole, { token: string }][];
  const messages = Object.entries(header.messages) as [MessageRole, { marker: string }][];
  const callsIn = (text: string) => calls.filter(([, c]) => text.includes(c.token)).map(([role]) => role);
  return {
    callsIn,
    callIn: (text) => callsIn(text)[0],
    messagesIn: (text) =>
      messages
        .map(([role, m]) => ({ role, at: text.indexOf(m.marker) }))
        .filter((found) => found.at >= 0)
        .sort((a, b) => a.at - b.at)
        .map((found) => found.role),
  };
}
