import type { ActionOutcome } from '../clients/define.ts';
import type { CallRole, HarnessObserved, MessageRole } from '../history/events.ts';
import { WaitedInVain } from '../until.ts';
import { messageText, type Stage } from './stage.ts';

type Outcome = HarnessObserved['outcome'];

/** What may be waited for, with the words for it. */
const GOALS = {
  ask: (call: CallRole) => `ask ${call} to be shown with its controls`,
  streaming: (message: MessageRole) => `the answer to message ${message} to be streaming`,
  done: (message: MessageRole) => `message ${message} to be answered and the client to be idle again`,
  over: (message: MessageRole) => `the run of message ${message} to be over and the composer to be usable`,
} as const;

export type Goal = keyof typeof GOALS;

/** Without any event for this long the screen has had its chance to catch up, ms. */
const CALM = 300;

/** Name of the gate in the middle of a message's streamed answer. */
export const middleGate = (message: MessageRole): string => `middle-of-${message}`;

/** Whether the main window shows this ask with at least one control. */
export const showsAsk = ({ recorder }: Stage, call: CallRole): boolean =>
  recorder.screen()?.asks.some((ask) => ask.call === call && ask.controls.length > 0) ?? false;

/** Whether any witness has seen the ask of this call: the client's own record, or a window. */
export const askSeen = ({ recorder }: Stage, call: CallRole): boolean =>
  recorder.last('engine.ask-opened', (event) => event.call === call) !== undefined ||
  recorder.last('screen.state', (look) => look.asks.some((ask) => ask.call === call)) !== undefined;

/** Waits until these asks are on the screen. @throws WaitedInVain when they never are. */
export async function asked(stage: Stage, calls: readonly CallRole[]): Promise<void> {
  const { recorder, model, limits } = stage;
  await recorder.until(() => calls.every((call) => showsAsk(stage, call)) && model.inFlight() === 0, {
    what: `ask ${calls.join(' and ask ')} to be shown with its controls`,
    limit: limits.ready,
  });
}

/** Waits until the screen no longer shows an ask as answerable. False when it goes on showing it. */
export async function settledOnScreen(stage: Stage, call: CallRole): Promise<boolean> {
  const { recorder, limits } = stage;
  const gone = () => !showsAsk(stage, call);
  const what = `ask ${call} to be gone from the screen`;
  return recorder.until(gone, { what, limit: limits.ready }).catch((error) => {
    if (error instanceof WaitedInVain) return false;
    throw error;
  });
}

/** Waits until an approved call has done what it does, as far as that can be seen in the world. */
export async function effectSeen(stage: Stage, call: CallRole): Promise<void> {
  const { recorder, world, header, limits } = stage;
  await settledOnScreen(stage, call);
  if (!['command', 'edit', 'mcp'].includes(header.calls[call]?.ask ?? '')) return;
  await recorder.until(() => (world.counts()[call] ?? 0) > 0, {
    what: `the effect of call ${call}`,
    limit: limits.ready,
  });
}

/**
 * Whether the client rests: nothing busy, nothing asked, and the composer takes text. After a run that failed it rests too,
 * with the error on the screen.
 */
const isOver = ({ recorder }: Stage): boolean => {
  const screen = recorder.screen();
  return (screen?.phase === 'idle' || screen?.phase === 'error') && screen.input === 'enabled';
};

/** The same without an error. */
const isIdle = ({ recorder }: Stage): boolean => {
  const screen = recorder.screen();
  return screen?.phase === 'idle' && screen.input === 'enabled';
};

/** Whether the screen has come as far as this message; one that shows no messages at all says nothing about it. */
const showsMessage = ({ recorder }: Stage, message: MessageRole): boolean => {
  const shown = recorder.screen()?.messages ?? [];
  return shown.length === 0 || shown.includes(message);
};

/** Whether the last model request of this message was sent to its end and nothing of its script is left. */
function isAnswered({ recorder, model }: Stage, message: MessageRole): boolean {
  const request = recorder.last('model.request', (r) => r.kind === 'run' && r.message === message);
  const ended = recorder.last('model.ended', (end) => end.request === request?.request);
  return ended?.by === 'complete' && !model.leftovers().some((left) => left.message === message);
}

function reached(stage: Stage, message: MessageRole, goal: Goal): boolean {
  switch (goal) {
    case 'ask':
      return showsAsk(stage, message as CallRole);
    case 'streaming':
      return stage.model.gate(middleGate(message)).held;
    case 'done':
      // The model is ahead of the screen, which may still rest as it did before this run.
      return isAnswered(stage, message) && isIdle(stage) && (showsMessage(stage, message) || isQuiet(stage));
    case 'over':
      return isOver(stage);
  }
}

/** Nothing has moved for the quiet window and nothing is on its way from the model: waiting longer shows nothing new. */
const isQuiet = ({ recorder, model, limits }: Stage): boolean =>
  model.inFlight() === 0 && recorder.quietFor() > limits.quiet;

/**
 * Watches the run of a message until the goal is reached or until it is known that it will not be.
 * Records `harness.observed` and gives its outcome. Stuck is known by quiescence; the limit only stands behind it.
 */
export async function observe(stage: Stage, message: MessageRole, goal: Goal): Promise<Outcome> {
  const waitedFor = GOALS[goal](message as CallRole & MessageRole);
  const { recorder, limits } = stage;
  const success: Outcome = goal === 'over' ? 'done' : goal;
  const outcome = await recorder.until(
    () => (reached(stage, message, goal) ? success : isQuiet(stage) ? 'stuck' : undefined),
    { what: waitedFor, limit: limits.wait },
  );
  // The model is ahead of the screen: what is shown beside a stream counts once nothing moves any more.
  if (outcome === 'streaming') await calm(stage);
  const quiet = { stuck: limits.quiet, streaming: CALM }[outcome as string];
  recorder.record({ type: 'harness.observed', message, outcome, waitedFor, ...(quiet ? { quiet } : {}) });
  return outcome;
}

/**
 * Gives the client a message through its composer, as soon as it takes one.
 * A composer that never does is recorded as `dead`.
 */
export async function say(stage: Stage, message: MessageRole): Promise<ActionOutcome> {
  const { recorder, driver, limits } = stage;
  recorder.stir();
  const usable = await recorder.until(
    () => (recorder.screen()?.input === 'enabled' ? 'yes' : isQuiet(stage) ? 'no' : undefined),
    { what: `the composer to take message ${message}`, limit: limits.wait },
  );
  recorder.record({ type: 'person.submit', message, phase: 'begin' });
  const outcome =
    usable === 'yes'
      ? await driver.submit({ role: message, text: messageText(stage.header, message) })
      : 'stuck';
  submitted(stage, message, outcome);
  if (outcome === 'stuck') {
    recorder.record({
      type: 'harness.observed',
      message,
      outcome: 'dead',
      waitedFor: `the composer to take message ${message}`,
    });
  }
  recorder.stir();
  return outcome;
}

/** Records how a message was taken. */
export function submitted({ recorder }: Stage, message: MessageRole, outcome: ActionOutcome): void {
  recorder.record({
    type: 'person.submit',
    message,
    phase: 'end',
    outcome: outcome === 'done' ? 'taken' : outcome,
  });
}

/** Waits until the ask is shown, or the client rests without it, or nothing moves any more. */
export async function askOrRest(stage: Stage, call: CallRole): Promise<void> {
  const { recorder, limits } = stage;
  recorder.stir();
  await recorder.until(() => showsAsk(stage, call) || isOver(stage) || isQuiet(stage), {
    what: `ask ${call} to be shown, or the client to rest`,
    limit: limits.wait,
  });
}

/** Waits until nothing has moved for a while: the delay after which things are looked at again. */
export async function calm({ recorder, model }: Stage, window = CALM): Promise<void> {
  recorder.stir();
  await recorder.until(() => model.inFlight() === 0 && recorder.quietFor() > window, {
    what: `${window} ms without any event`,
  });
}
