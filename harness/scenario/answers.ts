import type { AnswerOutcome, Decision, Hands, LateRoute } from '../clients/define.ts';
import type { AnswerRoute, CallRole, PersonAnswer } from '../history/events.ts';
import { needed } from './capability.ts';
import { showsAsk } from './observe.ts';
import type { Stage } from './stage.ts';

type Intent = PersonAnswer['intent'];

/** The person answers an ask that is live, on the screen that shows it. A question is approved in words. */
export async function answerLive(stage: Stage, call: CallRole, decision: Decision): Promise<void> {
  await press(stage, call, decision, 'live', 'screen', () => stage.driver.answer(call, decision));
}

/** The person answers a live ask in a second window. */
export async function answerIn(
  stage: Stage,
  hands: Hands,
  call: CallRole,
  decision: Decision,
): Promise<void> {
  await press(stage, call, decision, 'live', 'second-window', () => hands.answer(call, decision));
}

/** Presses controls of one ask in the same instant: the first is meant, the others come when it must be dead. */
export async function answerTogether(
  stage: Stage,
  call: CallRole,
  decisions: readonly Decision[],
): Promise<void> {
  const pressBoth = needed(stage, stage.driver.answerTogether, 'answerTogether');
  const open = decisions.map((decision, at) =>
    begin(stage, call, decision, at === 0 ? 'live' : 'late', 'screen'),
  );
  const outcomes = await pressBoth(call, decisions);
  open.forEach((end, at) => {
    end(outcomes[at] ?? { outcome: 'gone' });
  });
}

/**
 * Gives an answer that stays on its way until it is let go: by then, unless the action leaves the ask alone, it is late.
 *
 * @returns lets it go, and records what came of it
 */
export async function answerInFlight(
  stage: Stage,
  call: CallRole,
  decision: Decision,
): Promise<() => Promise<void>> {
  const hold = needed(stage, stage.driver.holdAnswer, 'holdAnswer');
  const end = begin(stage, call, decision, 'late', 'in-flight');
  const letGo = await hold(call, decision);
  return async () => end(await letGo());
}

/**
 * Answers an ask that must be dead by now, in the harmful direction, by every way that is left: a control that should no
 * longer be there, and each route made ready while the ask was open. Then looks at what it did to the world.
 */
export async function answerLate(stage: Stage, call: CallRole, routes: LateRoute[]): Promise<void> {
  stage.recorder.record({ type: 'harness.step', step: 'late-answers' });
  if (showsAsk(stage, call)) {
    await press(stage, call, 'approve', 'late', 'leftover-control', () =>
      stage.driver.answer(call, 'approve'),
    );
  }
  for (const { route, press: pressIt } of routes) {
    await press(stage, call, 'approve', 'late', route, () => pressIt('approve'));
  }
  await stage.driver.look();
  stage.world.check();
}

async function press(
  stage: Stage,
  call: CallRole,
  decision: Decision,
  intent: Intent,
  route: AnswerRoute,
  act: () => Promise<AnswerOutcome>,
): Promise<void> {
  const end = begin(stage, call, decision, intent, route);
  end(await act());
}

/** Records that an answer begins; what it gives records how it ended. */
function begin(
  { recorder, header }: Stage,
  call: CallRole,
  decision: Decision,
  intent: Intent,
  route: AnswerRoute,
): (outcome: AnswerOutcome) => void {
  const inWords = decision === 'approve' && header.calls[call]?.ask === 'question';
  const given = inWords ? 'answer' : decision;
  const answer = { type: 'person.answer', call, decision: given, intent, route } as const;
  recorder.record({ ...answer, phase: 'begin' });
  return (outcome) => {
    recorder.record({ ...answer, phase: 'end', ...outcome });
    recorder.stir();
  };
}
