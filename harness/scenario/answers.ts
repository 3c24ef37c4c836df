import type { LateRoute } from '../clients/define.ts';
import type { AnswerRoute, CallRole } from '../history/events.ts';
import { showsAsk } from './observe.ts';
import type { Stage } from './stage.ts';

type Decision = 'approve' | 'deny';

/** The person answers an ask that is live, on the screen that shows it. */
export async function answerLive(stage: Stage, call: CallRole, decision: Decision): Promise<void> {
  await press(stage, call, decision, 'live', 'screen', () => stage.driver.answer(call, decision));
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
  { recorder }: Stage,
  call: CallRole,
  decision: Decision,
  intent: 'live' | 'late',
  route: AnswerRoute,
  act: () => ReturnType<LateRoute['press']>,
): Promise<void> {
  const answer = { type: 'person.answer', call, decision, intent, route } as const;
  recorder.record({ ...answer, phase: 'begin' });
  const outcome = await act();
  recorder.record({ ...answer, phase: 'end', ...outcome });
  recorder.stir();
}
