import type { Client } from './define.ts';
import { geminiAcp } from './gemini-acp.ts';
import { opencodeWeb } from './opencode-web.ts';
import { referenceWeb } from './reference-web.ts';

/** Every client that Handoff knows. A new one is one file and one line here. */
export const clients: readonly Client[] = [referenceWeb, opencodeWeb, geminiAcp];

/** The client of this id, if there is one. */
export const clientNamed = (id: string): Client | undefined => clients.find((client) => client.id === id);
