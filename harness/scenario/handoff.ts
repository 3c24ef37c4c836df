import type { ActionOutcome, LateRoute } from '../clients/define.ts';
import type { HarnessStep } from '../history/events.ts';
import { aftermathOf } from './aftermaths/index.ts';
import { answerLive } from './answers.ts';
import { momentOf } from './moments/index.ts';
import { askOrRest, calm, observe, say, showsAsk, submitted } from './observe.ts';
import { type Stage, textTurn } from './stage.ts';

/**
 * One hand-off, step by step: arrange, supersede, observe, aftermath, finish. It makes a history and judges nothing;
 * a client that misbehaves does not end it, it only makes the history worse.
 */
export class Handoff {
  readonly #stage: Stage;
  #late: LateRoute[] | undefined;
  #reached = false;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /**
   * The person sends message A; the model calls a tool; up to where the person is about to act.
   *
   * @throws WaitedInVain when the client never gets that far: there is no hand-off to judge then.
   */
  async untilTheAskIsOpen(): Promise<void> {
    const stage = this.#begin('arrange');
    const { model, variant } = stage;
    const moment = momentOf(stage.trial.moment);
    // A denied run may go on and hear the model's answer, or end there: both are legal, so that turn is optional.
    const over = textTurn('Check A is over.', { optional: !variant.runsOn });
    const asking = variant.script?.(stage) ?? moment.script(stage);
    model.script('A', [...asking, ...(variant.again?.(stage) ?? [over])]);
    const next = aftermathOf(stage.trial.aftermath).script(stage);
    model.script('B', next.B);
    if (next.C) model.script('C', next.C);
    await variant.prelude?.(stage);
    await say(stage, 'A');
    await variant.onTheWay?.(stage);
    await moment.arrive(stage, () => this.#prepareLate());
  }

  /** The person moves on, and message B reaches the client. */
  async supersede(): Promise<void> {
    const stage = this.#begin('supersede');
    const { variant } = stage;
    const outcome = await momentOf(stage.trial.moment).land(stage, () => perform(stage));
    stage.recorder.stir();
    // Refused or queued, the ask must still be live: the person answers it, and then goes on.
    const kept = outcome === 'refused' || outcome === 'queued';
    if (kept || variant.leaves !== 'settled') {
      await askOrRest(stage, 'A');
      await calm(stage);
      await stage.driver.look();
      stage.world.check();
      if (showsAsk(stage, 'A')) {
        await this.#prepareLate();
        await answerLive(stage, 'A', variant.then ?? 'deny');
      }
    }
    if (outcome === 'queued') return;
    if (variant.carriesNext && outcome === 'done') return;
    await observe(stage, 'A', variant.runsOn || variant.again ? 'done' : 'over');
    await variant.afterwards?.(stage);
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
    // An ask that came and went, or never came up, leaves only the ways that need no preparation.
    const late = this.#late ?? stage.driver.blindRoutes?.('A') ?? [];
    await aftermathOf(stage.trial.aftermath).play(stage, late);
  }

  /** A last look at everything after a quiet window, and the end of the record. */
  async finish(): Promise<void> {
    const stage = this.#begin('final');
    await calm(stage);
    await stage.driver.look();
    stage.world.check(true);
    stage.recorder.end('complete');
  }

  /** Whether the run of message B got as far as the aftermath wants. */
  get reached(): boolean {
    return this.#reached;
  }

  /** Makes ready every way of answering ask A late, once, while it is open. */
  async #prepareLate(): Promise<void> {
    this.#late ??= await this.#stage.driver.lateRoutes('A');
  }

  #begin(step: HarnessStep['step']): Stage {
    this.#stage.recorder.record({ type: 'harness.step', step });
    return this.#stage;
  }
}

/** The action itself, with its begin and its end, and with message B where it carries that. */
async function perform(stage: Stage): Promise<ActionOutcome> {
  const { recorder, trial, variant } = stage;
  const act = { type: 'person.supersede', action: trial.action } as const;
  recorder.record({ ...act, phase: 'begin' });
  if (variant.carriesNext) recorder.record({ type: 'person.submit', message: 'B', phase: 'begin' });
  const outcome = await variant.perform(stage);
  if (variant.carriesNext) submitted(stage, 'B', outcome);
  recorder.record({ ...act, phase: 'end', outcome });
  recorder.stir();
  return outcome;
}
