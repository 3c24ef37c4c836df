import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRole, Header } from '../history/events.ts';
import type { CallInput } from '../model/script.ts';

/** Commands and the canary MCP server write a line here. */
export const LOG = 'canaries.log';
/** A held command says here that it is at work. */
export const STARTED = 'started.log';

type Calls = Header['calls'];

const editedFile = (token: string): string => `${token}.txt`;
const secretFile = (token: string): string => `secret-${token}.txt`;
const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** What a scripted call asks for, by its kind. The token is always part of it: attribution is by token alone. */
export function inputOf(calls: Calls, call: CallRole): CallInput {
  const about = calls[call];
  if (!about) throw new Error(`this hand-off has no call ${call}`);
  const { token } = about;
  switch (about.ask) {
    case 'command':
      return { token, command: commandOf(token) };
    case 'edit':
      return { token, path: editedFile(token), content: `${token}\n` };
    case 'read':
      return { token, path: secretFile(token) };
    case 'mcp':
      return { token, mcp: { tool: 'write_canary', arguments: { token } } };
    case 'question':
      return { token, question: `Shall check ${token} go on?`, options: ['Go on', 'Leave it'] };
    case 'plan':
      return { token, content: `1. Run check ${token}.` };
  }
}

export const commandOf = (token: string): string => `sh canary.sh ${token}`;

/** Puts what the reading calls would read into the workspace: its words reach the model only when it was read. */
export function placeSecrets(workspace: string, calls: Calls): void {
  for (const { token, ask } of Object.values(calls))
    if (ask === 'read') writeFileSync(join(workspace, secretFile(token)), `canary ${token}\n`);
}

/** How often each call's effect is there by now. Reading, asking and planning leave nothing in the world. */
export function countEffects(workspace: string, calls: Calls): Partial<Record<CallRole, number>> {
  const lines = read(join(workspace, LOG)).split('\n');
  const found: Partial<Record<CallRole, number>> = {};
  for (const [call, { token, ask }] of Object.entries(calls) as [CallRole, NonNullable<Calls[CallRole]>][])
    found[call] =
      ask === 'edit'
        ? Number(read(join(workspace, editedFile(token))).includes(token))
        : lines.filter((line) => line === token).length;
  return found;
}

/** The held calls that have said that they are at work. */
export function startedCalls(workspace: string, calls: Calls): CallRole[] {
  const lines = read(join(workspace, STARTED)).split('\n');
  return (Object.keys(calls) as CallRole[]).filter((call) => lines.includes(`started ${calls[call]?.token}`));
}

/** Whether a change of this file can be an effect or its beginning. */
export const tellsOfEffects = (name: string | null): boolean =>
  name === LOG || name === STARTED || (name?.startsWith('canary-') ?? false);
