import type { Moment } from '../../history/vocabulary.ts';
import { answerInFlightMoment } from './answer-in-flight.ts';
import { askArriving, askOvertaken } from './ask-arriving.ts';
import { askOpen } from './ask-open.ts';
import { callStreaming } from './call-streaming.ts';
import type { MomentPlan } from './moment.ts';
import { resultInFlight } from './result-in-flight.ts';
import { secondOfTwo } from './second-of-two.ts';
import { toolRunning } from './tool-running.ts';

/** Every moment at which an action is performed. A new one is one file and one line here. */
export const moments: readonly MomentPlan[] = [
  askOpen,
  callStreaming,
  askArriving,
  askOvertaken,
  secondOfTwo,
  answerInFlightMoment,
  toolRunning,
  resultInFlight,
];

/** @throws Error when no action is performed at such a moment yet. */
export function momentOf(name: Moment): MomentPlan {
  const found = moments.find((moment) => moment.name === name);
  if (!found) throw new Error(`no moment named ${name}; there are: ${moments.map((m) => m.name).join(', ')}`);
  return found;
}
