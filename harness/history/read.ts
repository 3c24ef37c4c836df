import { readFileSync } from 'node:fs';
import type { ZodError } from 'zod';
import { type HandoffEvent, type Header, HISTORY_VERSION, type History } from './events.ts';
import { EVENT_TYPES, eventSchema, headerSchema } from './schema.ts';

/** A history that cannot be judged: it is damaged, incomplete or of another version. */
export class HistoryError extends Error {
  override name = 'HistoryError';
  /** Line of the file at fault, from 1. */
  readonly line: number | undefined;
  constructor(source: string, problem: string, repair: string, line?: number) {
    super(`${source}${line === undefined ? '' : `, line ${line}`}: ${problem}; ${repair}`);
    this.line = line;
  }
}

/**
 * Reads a history from a file.
 *
 * @throws HistoryError when the file cannot be read or does not hold one whole history of this version.
 */
export function readHistory(file: string): History {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new HistoryError(file, `cannot be read (${(error as Error).message})`, 'name a history.jsonl file');
  }
  return parseHistory(text, file);
}

/**
 * Reads a history from JSON Lines: the header, then the events in order, the last of them the end record.
 *
 * @param source name for error messages
 * @throws HistoryError on an empty or truncated text, a foreign version, a line that is no event, and on lines that are
 * missing, doubled or out of order.
 */
export function parseHistory(text: string, source = 'history'): History {
  const lines = text.split('\n');
  // A text that ends with a line break has one empty piece after it; anything else there is a half-written line.
  if (lines.at(-1) === '') lines.pop();
  const [first, ...rest] = lines;
  if (first === undefined || first.trim() === '') {
    throw new HistoryError(source, 'the history is empty', 'record the hand-off again');
  }
  const header = readHeader(first, source);
  const events = rest.map((line, index) => readEvent(line, index + 1, rest.length, source));
  const last = events.at(-1);
  if (last?.type !== 'end') {
    const kept = `${events.length} events and no end record`;
    throw new HistoryError(
      source,
      `the history is truncated: ${kept}`,
      'record the hand-off again',
      lines.length,
    );
  }
  return { header, events };
}

function readHeader(line: string, source: string): Header {
  const value = parse(line, 1, source);
  if (value.type !== 'handoff') {
    throw new HistoryError(
      source,
      `the first record is not a header but ${shown(value.type)}`,
      'keep the first line',
      1,
    );
  }
  if (value.schema !== HISTORY_VERSION) {
    const problem = `version ${shown(value.schema)} of the history format is not known, only ${HISTORY_VERSION}`;
    throw new HistoryError(source, problem, 'judge it with the release that recorded it', 1);
  }
  const checked = headerSchema.safeParse(value);
  if (!checked.success) throw misfit(source, 'the header', checked.error, 1);
  return checked.data as Header;
}

function readEvent(text: string, seq: number, total: number, source: string): HandoffEvent {
  const line = seq + 1;
  const value = parse(text, line, source, seq === total);
  if (value.type === 'handoff') {
    throw new HistoryError(source, 'a second header', 'keep one hand-off per file', line);
  }
  if (!EVENT_TYPES.has(String(value.type))) {
    throw new HistoryError(
      source,
      `the event type ${shown(value.type)} is not known`,
      'see the published JSON Schema',
      line,
    );
  }
  if (Number.isInteger(value.seq) && value.seq !== seq) {
    const found = value.seq as number;
    const how = found < seq ? 'doubled or out of order' : 'missing or out of order';
    throw new HistoryError(
      source,
      `events are ${how}: seq ${found} where ${seq} is due`,
      'use the file as it was recorded',
      line,
    );
  }
  const checked = eventSchema.safeParse(value);
  if (!checked.success) throw misfit(source, `the event ${String(value.type)}`, checked.error, line);
  const event = checked.data as HandoffEvent;
  if (event.since !== undefined && event.since > event.t) {
    throw new HistoryError(
      source,
      `since ${event.since} is later than t ${event.t}`,
      'see the published JSON Schema',
      line,
    );
  }
  if (event.type === 'end' && seq !== total) {
    throw new HistoryError(source, 'records follow the end record', 'keep one hand-off per file', line);
  }
  return event;
}

function parse(text: string, line: number, source: string, last = false): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const problem = last
      ? 'the history is truncated: its last line is half-written'
      : `not a line of JSON: ${shown(text.slice(0, 60))}`;
    throw new HistoryError(source, problem, 'record the hand-off again', line);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new HistoryError(source, `not a record: ${shown(value)}`, 'one JSON object a line', line);
  }
  return value as Record<string, unknown>;
}

function misfit(source: string, what: string, error: ZodError, line: number): HistoryError {
  const [issue] = error.issues;
  const where = issue?.path.join('.');
  const problem = `${what} does not fit the schema: ${where ? `${where}: ` : ''}${issue?.message}`;
  return new HistoryError(source, problem, 'see the published JSON Schema', line);
}

const shown = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value).slice(0, 80));
