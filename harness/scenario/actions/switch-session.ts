import { observe, say } from '../observe.ts';
import { type Stage, textTurn } from '../stage.ts';
import { type Action, byDriver, driven, plain } from './action.ts';

/** The person looks into another task and comes back. */
export const switchSession: Action = {
  name: 'switch-session',
  ...plain('goes to another task and comes back', {
    leaves: 'either',
    messages: ['D'],
    prelude: anotherTask,
    perform: byDriver('switch-session'),
  }),
};

/** A task that was there before, with a message that has been answered; then a fresh one for message A. */
async function anotherTask(stage: Stage): Promise<void> {
  stage.model.script('D', [textTurn('This was answered before.')]);
  await say(stage, 'D');
  await observe(stage, 'D', 'done');
  await driven(stage, 'new-session');
  stage.recorder.record({ type: 'person.did', what: 'starts a new task' });
}
