import { z } from 'zod';
import { type EventBody, type HandoffEvent, type Header, HISTORY_VERSION } from './events.ts';
import {
  ACTIONS,
  AFTERMATHS,
  ASK_KINDS,
  LEAVES,
  MOMENTS,
  SETTLEMENTS,
  SURFACES,
  TREATMENTS,
  WIRES,
} from './vocabulary.ts';

const call = z.enum(['A', 'A2', 'A3', 'B', 'B2', 'C']);
const message = z.enum(['A', 'B', 'C', 'D']);
const phase = z.enum(['begin', 'end']);
const count = z.int().nonnegative();
const time = z.number().nonnegative();
const askKind = z.enum(ASK_KINDS);
const settlement = z.enum(SETTLEMENTS);

const stamp = {
  seq: z.int().positive().describe('Position in the history, from 1, without a gap'),
  t: time.describe('When it was seen, ms since the hand-off began'),
  since: time.optional().describe('Earliest time at which it can have happened, when that differs from t'),
};

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ ...stamp, type: z.literal(type), ...shape });

const person = [
  event('person.submit', {
    message,
    phase,
    outcome: z.enum(['taken', 'refused', 'queued', 'stuck']).optional(),
    detail: z.string().optional(),
  }),
  event('person.supersede', {
    action: z.enum(ACTIONS),
    phase,
    outcome: z.enum(['done', 'refused', 'queued', 'stuck']).optional(),
    detail: z.string().optional(),
  }),
  event('person.answer', {
    call,
    decision: z.enum(['approve', 'deny', 'answer']),
    route: z.enum(['screen', 'leftover-control', 'second-window', 'stored-element', 'protocol', 'in-flight']),
    phase,
    intent: z.enum(['live', 'late']),
    outcome: z.enum(['accepted', 'refused', 'inert', 'gone']).optional(),
    detail: z.string().optional(),
  }),
  event('person.did', { what: z.string() }),
] as const;

const run = { run: z.string(), message: message.optional(), reason: z.string().optional() };
const tool = { call: call.optional(), outcome: z.string().optional() };

const engine = [
  event('engine.ask-opened', {
    ask: z.string(),
    call: call.optional(),
    kind: askKind.optional(),
    run: z.string().optional(),
  }),
  event('engine.ask-settled', {
    ask: z.string(),
    call: call.optional(),
    outcome: settlement,
    reason: z.string().optional(),
    by: z.enum(['person', 'system']).optional(),
  }),
  event('engine.pending', { asks: z.array(z.strictObject({ ask: z.string(), call: call.optional() })) }),
  event('engine.answer-refused', { ask: z.string(), call: call.optional(), reason: z.string() }),
  event('engine.run-started', run),
  event('engine.run-ended', run),
  event('engine.tool-started', tool),
  event('engine.tool-ended', tool),
  event('engine.decision', { call: call.optional(), outcome: settlement, source: z.string() }),
  event('engine.policy-changed', { policy: z.string() }),
] as const;

const world = [
  event('world.effect', { call, count }),
  event('world.started', { call }),
  event('world.checked', { counts: z.partialRecord(call, count), final: z.boolean().optional() }),
] as const;

const conversationCall = z.strictObject({
  id: z.string(),
  role: call.optional(),
  results: count,
  told: z.enum(['denied', 'ran', 'error', 'answered', 'other']).optional(),
  text: z.string().optional(),
});

const request = z.int().positive();
const model = [
  event('model.request', {
    request,
    wire: z.enum(WIRES),
    kind: z.enum(['run', 'side']),
    message: message.optional(),
    carries: z.array(message),
    calls: z.array(conversationCall),
    orphanResults: count,
    tools: z.array(z.string()),
  }),
  event('model.unscripted', { request, shape: z.string() }),
  event('model.sent', {
    request,
    what: z.enum(['text', 'call', 'held', 'released', 'error']),
    call: call.optional(),
    gate: z.string().optional(),
  }),
  event('model.ended', { request, by: z.enum(['complete', 'client', 'server']) }),
] as const;

const screenAsk = z.strictObject({
  call: call.optional(),
  kind: askKind.optional(),
  id: z.string().optional(),
  controls: z.array(z.string()),
  text: z.string(),
});

const screenRow = z.strictObject({
  call: call.optional(),
  outcome: z.enum(['waiting', 'running', 'ran', 'denied', 'failed', 'unknown']),
  text: z.string(),
});

const screen = [
  event('screen.state', {
    window: z.string(),
    phase: z.enum(['idle', 'thinking', 'awaiting', 'error']),
    input: z.enum(['enabled', 'disabled', 'hidden']),
    asks: z.array(screenAsk),
    rows: z.array(screenRow),
    badge: count.optional(),
    notices: z.array(z.string()),
    messages: z.array(message),
  }),
] as const;

const harness = [
  event('harness.step', {
    step: z.enum(['arrange', 'supersede', 'observe', 'aftermath', 'late-answers', 'final']),
  }),
  event('harness.observed', {
    message,
    outcome: z.enum(['ask', 'streaming', 'done', 'stuck', 'dead']),
    waitedFor: z.string(),
    quiet: time.optional(),
  }),
  event('harness.note', { text: z.string() }),
  event('end', { reason: z.enum(['complete', 'crashed', 'interrupted']), detail: z.string().optional() }),
] as const;

/** One record after the header. */
export const eventSchema = z.discriminatedUnion('type', [
  ...person,
  ...engine,
  ...world,
  ...model,
  ...screen,
  ...harness,
]);

/** First record of every history. */
export const headerSchema = z.strictObject({
  type: z.literal('handoff'),
  schema: z.literal(HISTORY_VERSION),
  id: z.string(),
  client: z.string(),
  version: z.string(),
  surface: z.enum(SURFACES),
  action: z.enum(ACTIONS),
  variant: z.string(),
  ask: askKind,
  moment: z.enum(MOMENTS),
  aftermath: z.enum(AFTERMATHS),
  wire: z.enum(WIRES),
  fault: z.string().optional(),
  treatment: z.enum(TREATMENTS),
  leaves: z.enum(LEAVES),
  calls: z.partialRecord(call, z.strictObject({ token: z.string(), message, ask: askKind })),
  messages: z.partialRecord(message, z.strictObject({ marker: z.string() })),
  witnesses: z.strictObject({
    engine: z.boolean(),
    world: z.boolean(),
    model: z.boolean(),
    screen: z.boolean(),
  }),
  startedAt: z.string(),
});

/** Every event type that this version knows. */
export const EVENT_TYPES: ReadonlySet<string> = new Set(
  eventSchema.options.map((option) => option.shape.type.value satisfies EventBody['type']),
);

/** The JSON Schema of one line of a history: the header, or an event. */
export const lineJsonSchema = (): object => ({
  ...z.toJSONSchema(z.union([headerSchema, eventSchema])),
  $id: `urn:approval-handoff:history:${HISTORY_VERSION}`,
  title: `One line of an approval hand-off history, version ${HISTORY_VERSION}`,
  description:
    'A history is a text of JSON Lines: the header, then the events. Their seq counts from 1 without a gap, none has a ' +
    'since that is later than its t, and the last of them, and no other, is the end record.',
});

/** The same as the text that is published. */
export const historySchemaText = (): string => `${JSON.stringify(lineJsonSchema(), null, 2)}\n`;

// The schema and the types say the same; a change of one alone does not compile.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
true satisfies Same<z.infer<typeof headerSchema>, Header>;
true satisfies Same<keyof z.infer<typeof headerSchema>, keyof Header>;
true satisfies Same<z.infer<typeof eventSchema>, OneType<HandoffEvent>>;
true satisfies Same<Keys<z.infer<typeof eventSchema>>, Keys<HandoffEvent>>;
/** Each event's type with each of its keys: optional keys that one side lacks would else go unseen. */
type Keys<E> = E extends { type: infer T extends string } ? `${T} ${keyof E & string}` : never;
/** One member per type: an event that is declared for two types at once is two. */
type OneType<E extends { type: string }, T = E['type']> = T extends string
  ? E extends { type: string }
    ? T extends E['type']
      ? Omit<E, 'type'> & { type: T }
      : never
    : never
  : never;
