import type { RawScreen } from '../../surfaces/web/observer.ts';

/** Reads the page. Runs inside it. */
export function readScreen(document: Document): RawScreen | undefined {
  const root = document.querySelector<HTMLElement>('[data-phase]');
  if (!root) return undefined;
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const text = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim();
  const composer = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Message"]');
  const said: Record<string, RawScreen['rows'][number]['outcome']> = {
    waiting: 'waiting',
    running: 'running',
    ran: 'ran',
    answered: 'ran',
    denied: 'denied',
    cancelled: 'denied',
    'never-ran': 'denied',
    failed: 'failed',
  };
  return {
    phase: root.dataset.phase as RawScreen['phase'],
    input: !composer ? 'hidden' : composer.disabled ? 'disabled' : 'enabled',
    asks: all('[data-ask-id]').map((card) => ({
      id: card.dataset.askId ?? '',
      kind: card.dataset.askKind as 'command',
      controls: [...card.querySelectorAll<HTMLButtonElement>('button:enabled')].map(text),
      text: text(card),
    })),
    rows: all('[data-call-id][data-outcome]').map((row) => ({
      outcome: said[row.dataset.outcome ?? ''] ?? 'unknown',
      text: text(row),
    })),
    notices: all('[role="alert"]').map(text),
    messages: all('[data-message-id]').map(text),
  };
}
