import { answerLate } from '../answers.ts';
import { calm, middleGate, observe, say } from '../observe.ts';
import { textTurn } from '../stage.ts';
import type { Aftermath } from './aftermath.ts';

/**
 * The new run streams text, held in the middle, and the person sends another message meanwhile. This is where a parked
 * resolver shows: it takes that message for the answer to the old question.
 */
export const messageWhileStreaming: Aftermath = {
  name: 'message-while-streaming',
  title: 'the new run streams text; a message is sent meanwhile; late answers go to the old ask',
  script: () => ({
    B: [
      {
        parts: [
          { text: 'The second check needs no tool. ' },
          { gate: middleGate('B') },
          { text: 'It is fine as it is.' },
        ],
      },
    ],
    C: [textTurn('It went well.')],
  }),
  goal: 'streaming',
  play: async (stage, late) => {
    const taken = await say(stage, 'C');
    // A client may end the stream for the new message or hold the message until the stream ends. Both are legal.
    await calm(stage);
    stage.model.gate(middleGate('B')).open();
    if (taken !== 'stuck') await observe(stage, 'C', 'done');
    await answerLate(stage, 'A', late);
  },
};
