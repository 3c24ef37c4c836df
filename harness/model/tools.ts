import type { AskKind } from '../history/vocabulary.ts';
import type { OfferedTool, OutgoingCall, Schema } from './conversation.ts';
import { fill, type Known, plain, typeOf } from './schema.ts';
import type { CallInput } from './script.ts';

/** No offered tool fits a scripted call, or its arguments cannot be made. The turn fails with it. */
export class NoFittingTool extends Error {
  override name = 'NoFittingTool';
}

/** Names under which clients offer each kind of tool, in order of preference; see {@link plain} for their spelling. */
const NAMES: Record<Exclude<AskKind, 'mcp'>, string[]> = {
  command: [
    'bash',
    'runcommand',
    'runcommands',
    'execcommand',
    'runshellcommand',
    'shellcommand',
    'shell',
    'executecommand',
    'runterminalcommand',
    'runinterminal',
    'localshell',
    'terminal',
    'terminalcommand',
    'executebash',
    'exec',
    'execute',
    'runterminalcmd',
    'powershell',
  ],
  edit: [
    'write',
    'writefile',
    'writetofile',
    'createfile',
    'create',
    'createnewfile',
    'editor',
    'editfile',
    'edit',
    'replace',
    'strreplacebasededittool',
    'strreplaceeditor',
    'applypatch',
    'patch',
  ],
  read: ['read', 'readfile', 'readfiles', 'view', 'viewfile', 'cat', 'openfile', 'readmanyfiles'],
  question: [
    'askperson',
    'askquestion',
    'askuser',
    'askuserquestion',
    'askfollowupquestion',
    'question',
    'questions',
    'requestuserinput',
    'askuserforinput',
    'ask',
  ],
  plan: ['planmoderespond', 'exitplanmode', 'presentplan', 'submitplan', 'proposeplan', 'planexit', 'plan'],
};

/** Parameters that give a tool away when its name does not. */
const GIVEAWAYS: Partial<Record<AskKind, RegExp>> = {
  command: /^(command|commands|cmd|shellcommand|commandline)$/,
  question: /^(question|questions)$/,
  plan: /^plan$/,
};

/** Names under which clients offer a tool that starts a run of its own. */
const SUBTASK = ['runsubtask', 'subtask', 'task', 'newtask', 'spawnagent', 'agent', 'delegate'];

/**
 * The call that gives a task to a run of its own.
 *
 * @throws NoFittingTool naming the tools that are offered.
 */
export function chooseSubtask(offered: OfferedTool[], task: string): OutgoingCall {
  const tool = SUBTASK.flatMap((name) => offered.filter((one) => bare(one.name) === name))[0];
  if (!tool) {
    const names = offered.map((one) => one.name).join(', ') || 'none';
    throw new NoFittingTool(`no offered tool starts a run of its own; offered: ${names}`);
  }
  const know: Known = (name) => (/^(task|prompt|instructions?|message|goal)$/.test(name) ? task : undefined);
  return { tool, input: fill(tool.schema ?? {}, know) as Record<string, unknown> };
}

/** Whether results of this tool are a person's words. */
export const isQuestionTool = (name: string): boolean => NAMES.question.includes(bare(name));

/**
 * Chooses among the offered tools the one for a scripted call, and makes its arguments. One script thereby serves
 * every client, whatever it calls its tools.
 *
 * @throws NoFittingTool naming the tools that are offered.
 */
export function chooseTool(offered: OfferedTool[], kind: AskKind, input: CallInput): OutgoingCall {
  const tool = kind === 'mcp' ? mcpTool(offered, input) : (byName(offered, kind) ?? bySchema(offered, kind));
  const names = offered.map((one) => one.name).join(', ') || 'none';
  if (!tool) {
    const wanted = kind === 'mcp' ? `mcp (${input.mcp?.tool ?? 'no tool named in the script'})` : kind;
    throw new NoFittingTool(
      `no offered tool fits a scripted call of kind ${wanted}; offered: ${names}. ` +
        'Is the tool switched off in the client, or is its name missing in harness/model/tools.ts?',
    );
  }
  const call: OutgoingCall = { tool, input: inputFor(tool, kind, input) };
  // Attribution is by token: a call that does not carry it could never be told from another.
  if (!JSON.stringify(call.input).includes(input.token)) {
    throw new NoFittingTool(
      `the arguments made for tool ${tool.name} do not carry the token ${input.token}: ${JSON.stringify(call.input)}; ` +
        `its schema: ${JSON.stringify(tool.schema ?? null).slice(0, 600)}`,
    );
  }
  return call;
}

/** Without the group before the name: `functions.shell`, `default_api:shell`. */
const bare = (name: string): string => plain(name.split(/[.:/]/).at(-1) ?? name);

function byName(offered: OfferedTool[], kind: Exclude<AskKind, 'mcp'>): OfferedTool | undefined {
  for (const name of NAMES[kind]) {
    const found = offered.find((tool) => bare(tool.name) === name);
    if (found) return found;
  }
  return undefined;
}

function bySchema(offered: OfferedTool[], kind: AskKind): OfferedTool | undefined {
  const giveaway = GIVEAWAYS[kind];
  return offered.find(
    (tool) => giveaway && tool.schema?.required?.some((name) => giveaway.test(plain(name))),
  );
}

/** An MCP tool is offered under its own name, mostly with that of its server in front. */
function mcpTool(offered: OfferedTool[], { mcp }: CallInput): OfferedTool | undefined {
  return mcp && offered.find((tool) => plain(tool.name).endsWith(plain(mcp.tool)));
}

function inputFor(tool: OfferedTool, kind: AskKind, input: CallInput): OutgoingCall['input'] {
  if (tool.form === 'local-shell') return input.command ?? '';
  if (tool.form === 'freeform')
    return kind === 'edit' ? patch(input) : (input.command ?? input.content ?? input.token);
  if (kind === 'mcp') return input.mcp?.arguments ?? {};
  return fill(tool.schema ?? {}, knowledge(kind, input)) as Record<string, unknown>;
}

/** What a scripted call knows of a tool's parameters. */
function knowledge(kind: AskKind, input: CallInput): Known {
  const path = input.path;
  switch (kind) {
    case 'command':
      return (name, schema) => {
        if (/^(command|commands|cmd|shellcommand|commandline|script|code)$/.test(name)) {
          // A list named in the singular is an argument vector, one in the plural a list of commands.
          return typeOf(schema) === 'array' && !name.endsWith('s')
            ? ['bash', '-lc', input.command]
            : input.command;
        }
        return escalation(name, schema);
      };
    case 'edit':
      return (name, schema) => {
        if (/^(path|filepath|filename|file|targetfile|absolutepath|uri)$/.test(name)) return path;
        if (/^(content|contents|newtext|filetext|text|newcontent|newstring|newstr|codeedit)$/.test(name))
          return input.content;
        if (/^(oldstring|oldstr|oldtext)$/.test(name) && typeOf(schema) === 'string') return '';
        if (/^(patch|patchtext|input|diff)$/.test(name)) return patch(input);
        return name === 'command' && schema.enum?.includes('create') ? 'create' : undefined;
      };
    case 'read':
      return (name) =>
        /^(paths?|filepaths?|filename|files?|targetfile|absolutepath|uri)$/.test(name) ? path : undefined;
    case 'question':
      return (name) => {
        if (/^(question|prompt|message|text)$/.test(name)) return input.question;
        if (/^(header|title|id)$/.test(name)) return 'Check';
        return /^(options|choices|suggestions|followup)$/.test(name)
          ? (input.options ?? ['yes', 'no'])
          : undefined;
      };
    default:
      return (name) =>
        /^(plan|response|text|summary|content|message)$/.test(name)
          ? (input.content ?? input.question ?? `1. Run the check ${input.token}.`)
          : undefined;
  }
}

/**
 * Some sandboxes let a command pass unasked unless the model says itself that it needs more. A scripted command is
 * always one that has to be approved.
 */
function escalation(name: string, schema: Schema): unknown {
  if (name === 'sandboxpermissions' && typeOf(schema) === 'string') return 'require_escalated';
  if (name === 'withescalatedpermissions' || name === 'requiresapproval') return true;
  return name === 'justification' ? 'The check writes into the workspace.' : undefined;
}

/** A patch in the form that `apply_patch` tools take. */
const patch = ({ path, content }: CallInput): string =>
  [
    '*** Begin Patch',
    `*** Add File: ${path ?? ''}`,
    ...(content ?? '').split('\n').map((line) => `+${line}`),
    '*** End Patch',
    '',
  ].join('\n');
