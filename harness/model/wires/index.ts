import { anthropicMessages } from './anthropic-messages.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Wire } from './wire.ts';

export type { Encoder, Incoming, Recognised, Wire } from './wire.ts';

/**
 * Every wire, afresh for one server. A new wire is one file and one line here. They are asked in this order, and a
 * path that two share is told apart by the more particular one, which comes first.
 */
export const allWires = (): Wire[] => [anthropicMessages(), gemini(), openaiResponses(), openaiChat()];
