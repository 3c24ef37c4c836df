import type { ObservedPage } from '../../surfaces/web/observer.ts';
import { until, WaitedInVain } from '../../until.ts';
import type { ActionOutcome, Hands } from '../define.ts';
import { answer } from './answers.ts';
import { commandsDuring, type Held } from './window.ts';

/** How long the page may take to do what it was told before it counts as stuck, ms. */
const LIMIT = 3_000;

/** What a person can do in one window of the page. */
export function handsOf(held: Held, window: ObservedPage): Hands {
  const { page } = window;
  const { header } = held.context;
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const press = (name: string) => () => page.getByRole('button', { name }).click();
  /** Does something that sends the agent a command, and waits until it has been done or refused. */
  const tell = (command: string, act: () => Promise<void>) => told(window, command, act);
  /** A button of message A, or of the only message that is there. */
  const atMessage = (name: string) => {
    const message = page.getByRole('article', { name: 'Your message' });
    const marker = header.messages.A?.marker ?? '';
    return message.filter({ hasText: marker }).first().getByRole('button', { name }).click();
  };
  const send = ({ text }: { text: string }) => sendMessage(window, composer, text);

  return {
    submit: send,
    answer: (call, decision) => answer(held, window, call, decision),
    actions: {
      'new-message': send,
      'queued-message': send,
      stop: () => tell('stop', press('Stop')),
      'new-session': () => tell('new-session', press('New task')),
      edit: async ({ text }) => {
        await atMessage('Edit message');
        await page.getByRole('textbox', { name: 'Edited message' }).fill(text);
        return tell('edit', press('Save and resubmit'));
      },
      retry: () => tell('retry', () => atMessage('Retry from here')),
      'checkpoint-restore': async () => {
        await atMessage('Restore checkpoint');
        // The text comes back as a draft, and must not come over what the person writes next.
        const draft = async () => (await composer.inputValue()).includes(header.messages.A?.marker ?? '');
        return inTime('the text of the message to be back in the composer', draft);
      },
      'switch-session': async () => {
        const task = (role: 'D' | 'A') =>
          page
            .getByRole('navigation', { name: 'Tasks' })
            .getByRole('button')
            .filter({ hasText: header.messages[role]?.marker ?? '' });
        const there = await tell('open-session', () => task('D').click());
        return there === 'done' ? tell('open-session', () => task('A').click()) : there;
      },
      'mode-change': (_next, variant = '') => changeMode(window, variant),
      reload: async () => {
        await page.reload({ waitUntil: 'commit' });
        await page.locator('[data-phase]').waitFor();
        return 'done';
      },
      'stray-input': async () => {
        // Away from the composer and from every control, but on the page.
        await page.getByRole('heading', { name: 'Reference agent' }).click();
        await page.keyboard.type('yes ok y 1 2 3');
        for (const key of ['Enter', 'Space', 'Escape', 'ControlOrMeta+Enter']) await page.keyboard.press(key);
        return 'done';
      },
    },
  };
}

type Composer = ReturnType<ObservedPage['page']['getByRole']>;

/**
 * Has the page send a command, and says what came of it: done, refused in words that the person can see, or stuck when
 * nothing was sent or the agent does not answer within the limit.
 */
async function told(window: ObservedPage, command: string, act: () => Promise<void>): Promise<ActionOutcome> {
  const [sent] = await commandsDuring(window, command, act);
  if (!sent) return 'stuck';
  let late: NodeJS.Timeout | undefined;
  const response = await Promise.race([
    sent.response(),
    new Promise<'late'>((resolve) => {
      late = setTimeout(() => resolve('late'), LIMIT);
    }),
  ]);
  clearTimeout(late);
  if (response === 'late' || response === null) return 'stuck';
  if (response.ok()) return 'done';
  const said = await inTime('the page to say why', () => window.screen().notices.length > 0);
  return said === 'done' ? 'refused' : 'stuck';
}

/** Sends what the composer holds; it keeps the text until the agent has taken it. */
async function sendMessage(window: ObservedPage, composer: Composer, text: string): Promise<ActionOutcome> {
  const outcome = await told(window, 'submit', async () => {
    await composer.fill(text);
    await composer.press('Enter');
  });
  if (outcome !== 'done') return outcome;
  const given = await inTime(
    'the composer to give the message away',
    async () => (await composer.inputValue()) === '',
  );
  if (given !== 'done') return given;
  // Queued counts only when the person can see it.
  const queued = window.page.locator('[data-queued-id]').filter({ hasText: text });
  return (await queued.count()) > 0 ? 'queued' : 'done';
}

async function changeMode({ page }: ObservedPage, variant: string): Promise<ActionOutcome> {
  const control = variant.startsWith('to-')
    ? page.getByRole('radio', { name: variant === 'to-plan' ? 'Plan' : 'Act' })
    : page.getByRole('checkbox', { name: 'Auto-approve commands' });
  // The page shows what the agent says, so the box changes only when the agent has followed.
  await control.click();
  const wanted = variant !== 'auto-approve-off';
  return inTime('the page to show the new mode', async () => (await control.isChecked()) === wanted);
}

async function inTime(what: string, condition: () => boolean | Promise<boolean>): Promise<ActionOutcome> {
  try {
    await until(condition, { what, limit: LIMIT });
    return 'done';
  } catch (error) {
    if (error instanceof WaitedInVain) return 'stuck';
    throw error;
  }
}
