import type { LateRoute } from '../clients/define.ts';
import type { HarnessStep } from '../history/events.ts';
import { actionOf } from './actions/index.ts';
import { aftermathOf } from './aftermaths/index.ts';
import { answerLive } from './answers.ts';
import { calm, observe, say, showsAsk, submitted } from './observe.ts';
import { callTurn, type Stage, textTurn } from './stage.ts';

/**
 * One hand-off, step by step: arrange, supersede, observe, aftermath, finish. It makes a history and judges nothing;
 * a client that misbehaves does not end it, it only makes the history worse.
 */
export class Handoff {
  readonly #stage: Stage;
  #late: LateRoute[] = [];
  #reached = false;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /**
   * The person sends message A; the model calls a tool; the ask is on the screen.
   *
   * @throws WaitedInVain when the client never gets that far: there is no hand-off to judge then.
   */
  async untilTheAskIsOpen(): Promise<void> {
    const stage = this.#begin('arrange');
    const { model, recorder, driver } = stage;
    const control = actionOf(stage.trial.action).control;
    // A denied run may go on and hear the model's answer, or end there: both are legal, so that turn is optional.
    model.script('A', [
      callTurn(stage, 'A'),
      textTurn('Check A is over.', { optional: control !== 'approve' }),
    ]);
    const next = aftermathOf(stage.trial.aftermath).script(stage);
    model.script('B', next.B);
    if (next.C) model.script('C', next.C);
    await say(stage, 'A');
    await recorder.until(() => showsAsk(stage, 'A') && model.inFlight() === 0, {
      what: 'ask A to be shown with its controls',
      limit: stage.limits.ready,
    });
    stage.world.check();
    await driver.look();
    this.#late = await driver.lateRoutes('A');
  }

  /** The person moves on, and message B reaches the client. */
  async supersede(): Promise<void> {
    const stage = this.#begin('supersede');
    const { recorder, trial } = stage;
    const action = actionOf(trial.action);
    const record = (phase: 'begin' | 'end', outcome?: 'done' | 'refused' | 'queued' | 'stuck') =>
      recorder.record({
        type: 'person.supersede',
        action: action.name,
        phase,
        ...(outcome ? { outcome } : {}),
      });
    record('begin');
    if (action.carriesNext) recorder.record({ type: 'person.submit', message: 'B', phase: 'begin' });
    const outcome = await action.perform(stage);
    if (action.carriesNext) submitted(stage, 'B', outcome);
    record('end', outcome);
    recorder.stir();
    // Refused or queued, the ask must still be live: the person answers it, and then goes on.
    if (outcome === 'refused' || outcome === 'queued') {
      await calm(stage);
      await driverLook(stage);
      if (showsAsk(stage, 'A')) await answerLive(stage, 'A', 'deny');
    }
    if (outcome === 'queued') return;
    if (action.carriesNext && outcome === 'done') return;
    await observe(stage, 'A', action.control === 'approve' ? 'done' : 'over');
    await say(stage, 'B');
  }

  /** The run of message B, as far as it goes by itself. */
  async observe(): Promise<void> {
    const stage = this.#begin('observe');
    const { goal } = aftermathOf(stage.trial.aftermath);
    this.#reached = (await observe(stage, 'B', goal)) !== 'stuck';
  }

  /** What the person does next. With a stuck client only the late answers are left to do. */
  async aftermath(): Promise<void> {
    const stage = this.#begin('aftermath');
    await aftermathOf(stage.trial.aftermath).play(stage, this.#late);
  }

  /** A last look at everything after a quiet window, and the end of the record. */
  async finish(): Promise<void> {
    const stage = this.#begin('final');
    await calm(stage);
    await driverLook(stage);
    stage.world.check(true);
    stage.recorder.end('complete');
  }

  /** Whether the run of message B got as far as the aftermath wants. */
  get reached(): boolean {
    return this.#reached;
  }

  #begin(step: HarnessStep['step']): Stage {
    this.#stage.recorder.record({ type: 'harness.step', step });
    return this.#stage;
  }
}

const driverLook = ({ driver }: Stage): Promise<void> => driver.look();
