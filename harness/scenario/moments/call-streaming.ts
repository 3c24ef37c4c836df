import { callTurn, type Stage } from '../stage.ts';
import { GATE, listed, type MomentPlan } from './moment.ts';

/** The client is busy with a turn whose call is still on its way. */
export async function heldInCall(stage: Stage): Promise<void> {
  const { recorder, model, limits } = stage;
  await recorder.until(() => model.gate(GATE).held && recorder.screen()?.phase === 'thinking', {
    what: 'the call to be on its way and the screen to say busy',
    limit: limits.ready,
  });
  stage.world.check();
  await stage.driver.look();
}

/** The tool call is still on its way: an ask that is not there yet must not come up afterwards. */
export const callStreaming: MomentPlan = {
  name: 'call-streaming',
  title: 'while the tool call is still on its way',
  fits: (variant) => listed('call-streaming', variant),
  script: (stage) => [callTurn(stage, 'A', GATE)],
  arrive: heldInCall,
  land: async (stage, perform) => {
    const outcome = await perform();
    stage.model.gate(GATE).open();
    return outcome;
  },
};
