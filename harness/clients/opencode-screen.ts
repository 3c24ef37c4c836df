import type { RawScreen } from '../surfaces/web/observer.ts';

/** Reads opencode's page. Runs inside it, so it uses nothing from outside itself. */
export function readOpencode(document: Document): RawScreen | undefined {
  if (!document.querySelector('[data-slot="titlebar-v2"]')) return undefined;
  const all = (selector: string, within: ParentNode = document) => [
    ...within.querySelectorAll<HTMLElement>(selector),
  ];
  const one = (selector: string, within: ParentNode = document) => all(selector, within)[0];
  const text = (element: Element | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
  const page = window as unknown as { __handoffRows?: Map<string, string> };
  page.__handoffRows ??= new Map();
  const known = page.__handoffRows;

  const docks = all('[data-component="dock-prompt"][data-kind="permission"]').filter((dock) =>
    dock.checkVisibility(),
  );
  const asks = docks.map((dock) => {
    const said = text(one('[data-slot="permission-content"]', dock));
    return {
      ...(/shell command/i.test(said) ? { kind: 'command' as const } : {}),
      controls: all('[data-slot="permission-footer-actions"] button', dock)
        .filter((button) => !(button as HTMLButtonElement).disabled)
        .map(text),
      text: said,
    };
  });

  const rows = all('[data-component="tool-part-wrapper"]').map((row) => {
    const title = one('[data-slot="basic-tool-tool-title"]', row);
    const named = one('[aria-label]', title)?.getAttribute('aria-label') ?? text(title);
    const about = text(one('[data-slot="basic-tool-tool-subtitle"]', row));
    const failed = one('[data-kind="tool-error-card"]', row) !== undefined;
    // A failed call shows `Failed` in place of its command. The person has seen the command there before.
    const part = row.dataset.timelinePartId ?? '';
    if (!failed && about) known.set(part, about);
    const command = known.get(part) ?? '';
    const busy = one('[data-component="text-shimmer"][data-active="true"]', row) !== undefined;
    const waits = command !== '' && asks.some((ask) => ask.text.includes(command));
    const outcome: RawScreen['rows'][number]['outcome'] = failed
      ? 'failed'
      : busy
        ? waits
          ? 'waiting'
          : 'running'
        : 'ran';
    return { outcome, text: `${named} ${about}${failed && command ? ` (${command})` : ''}` };
  });

  const composer = one('[data-component="prompt-input"]');
  // Before the models are known the composer takes text and does not send it.
  const hasModel = text(one('[data-action="prompt-model"]')) !== '';
  const writable = composer?.getAttribute('contenteditable') === 'true';
  const busy =
    one('[data-action="prompt-submit"][data-icon="stop"]') !== undefined ||
    one('[data-timeline-row="Thinking"]') !== undefined;
  return {
    phase: asks.length > 0 ? 'awaiting' : busy ? 'thinking' : 'idle',
    input: !composer?.checkVisibility() ? 'hidden' : writable && hasModel ? 'enabled' : 'disabled',
    asks,
    rows,
    notices: all('section[aria-live="polite"] li, section[aria-live="polite"] [role="status"]')
      .filter((toast) => toast.checkVisibility())
      .map((toast) => {
        const lines = all('*', toast).filter((part) => part.childElementCount === 0);
        return lines.map(text).filter(Boolean).join(': ') || text(toast);
      }),
    messages: all('[data-timeline-row="UserMessage"] [data-slot="user-message-text"]').map(text),
  };
}
