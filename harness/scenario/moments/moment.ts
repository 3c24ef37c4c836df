import type { ActionOutcome } from '../../clients/define.ts';
import type { CallRole } from '../../history/events.ts';
import type { AskKind, Moment } from '../../history/vocabulary.ts';
import type { Turn } from '../../model/script.ts';
import type { Variant } from '../actions/action.ts';
import { asked } from '../observe.ts';
import { callTurn, type Stage } from '../stage.ts';

/** When the action lands, relative to the ask: one file each, one line in the registry. */
export interface MomentPlan {
  name: Moment;
  /** When the action is done, as the end of the sentence "the person acts ...". */
  title: string;
  /** Further calls of A's turn. */
  calls?: readonly CallRole[];
  /** Whether the action can be done at this moment, or why not. */
  fits(variant: Variant, ask: AskKind): true | string;
  /** The model's turns up to ask A. */
  script(stage: Stage): Turn[];
  /** Up to where the person is about to act. `prepareLate` makes ready the late answers, while ask A is open. */
  arrive(stage: Stage, prepareLate: () => Promise<void>): Promise<void>;
  /** Has the action performed, and opens whatever was held for it. */
  land(stage: Stage, perform: () => Promise<ActionOutcome>): Promise<ActionOutcome>;
}

/** Name of the gate that holds message A's turn in the middle of the call, or its follow-up before the first byte. */
export const GATE = 'message-A';

/** The plain turn of message A. */
export const plainScript = (stage: Stage): Turn[] => [callTurn(stage, 'A')];

/** Waits for the asks of A's turn, looks at everything and makes the late answers ready. */
export async function arriveAtAsks(
  stage: Stage,
  calls: readonly CallRole[],
  prepareLate: () => Promise<void>,
): Promise<void> {
  await asked(stage, calls);
  stage.recorder.record({
    type: 'harness.observed',
    message: 'A',
    outcome: 'ask',
    waitedFor: `ask ${calls.join(', ask ')} to be shown with its controls`,
  });
  stage.world.check();
  await stage.driver.look();
  await prepareLate();
}

/** The action has a say of its own about when it is done. */
export const listed = (name: Moment, variant: Variant): true | string =>
  !variant.moments || variant.moments.includes(name) || `it is done only at: ${variant.moments.join(', ')}`;
