import type { CallRole, ConversationCall } from '../history/events.ts';
import type { Roles } from '../history/roles.ts';

/** What a result tells the model of its call. */
export type Told = NonNullable<ConversationCall['told']>;

/**
 * Words by which clients say that a call was not carried out. Gathered from what real clients send: there is no
 * field for it on any wire, so the text is all that a model has to go by.
 */
const DENIED = new RegExp(
  [
    String.raw`\b(den(y|ied|ial)|reject\w*|declin\w*|cancel\w*|interrupt\w*|abort\w*|skip(ped)?|dismiss\w*)\b`,
    String.raw`\b(refused|withdrawn|expired|supersed\w*|disallowed)\b`,
    String.raw`(\bnot|n['’]t|\bnever|\bwithout)\s+(\w+\s+)?(be(en)?\s+)?(allow|approv|permi|execut|want|wish|run\b|ran\b)`,
    String.raw`\bapprov\w*\s+(request\s+)?timed\s+out`,
    String.raw`\buser\s+(moved\s+on|stopped)`,
  ].join('|'),
  'i',
);

/** The same words where they speak of files and sockets, not of the person. */
const NO_DENIAL = /sh: .*?: permission denied|EACCES: permission denied|connection refused/gi;

const FAILED = /\b(error|failed|failure|exception|not found|timed out)\b|exit(ed)?( with)?( code)?:? [1-9]/i;
const NO_FAILURE = /\berror:?\s*(\(none\)|\(empty\)|none|null|"")|"(error|is_error)":\s*(null|false|"")/gi;

const isDenial = (text: string): boolean => DENIED.test(text.replace(NO_DENIAL, ''));

/**
 * Reads from a tool result what the model is told of the call.
 *
 * The canary's own output, `canary <token>`, settles it: only a command that ran can print it, whatever else the
 * client wraps around it (many results carry fields named `interrupted` or `cancelled` even when all went well).
 */
export function toldBy(
  result: { text: string; failed?: boolean },
  call: { role?: CallRole; question: boolean },
  roles: Roles,
): Told {
  const { text, failed } = result;
  const ran = [...text.matchAll(/canary\s+(\S+)/g)].some(
    ([, word]) => call.role !== undefined && roles.callsIn(word ?? '').includes(call.role),
  );
  if (ran) return 'ran';
  if (isDenial(text)) return 'denied';
  const broken = failed || FAILED.test(text.replace(NO_FAILURE, ''));
  if (call.question) {
    if (broken) return 'error';
    // An empty answer is how a question is closed that nobody answered.
    return hasContent(text) ? 'answered' : 'denied';
  }
  if (broken) return 'error';
  return call.role && roles.callsIn(text).includes(call.role) ? 'ran' : 'other';
}

/** Whether anything is left of a result beside its brackets. */
const hasContent = (text: string): boolean =>
  text.replace(/^"|"$|[{}[\]\s]|"(answer|output|result)":|""/g, '') !== '';
