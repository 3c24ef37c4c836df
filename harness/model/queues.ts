import type { MessageRole } from '../history/events.ts';
import type { Part, Turn } from './script.ts';

/** What is left to be said to each message. */
export class Queues {
  readonly #queues = new Map<MessageRole, { turns: Turn[]; next: number }>();

  /** Replaces what is left of the message's script. */
  set(message: MessageRole, turns: Turn[]): void {
    this.#queues.set(message, { turns, next: 0 });
  }

  /** The next turn of this message, or why there is none. */
  next(message: MessageRole | undefined): Turn | string {
    if (!message) return 'no message of the conversation carries a marker of this hand-off';
    const queue = this.#queues.get(message);
    if (!queue) return `nothing is scripted for message ${message}`;
    const turn = queue.turns[queue.next];
    if (!turn) return `all ${queue.turns.length} scripted turns of message ${message} were used`;
    queue.next += 1;
    return turn;
  }

  leftovers(): { message: MessageRole; turn: number; parts: string }[] {
    return [...this.#queues].flatMap(([message, { turns, next }]) =>
      turns
        .map((turn, at) => ({ message, turn: at + 1, optional: turn.optional, parts: inWords(turn.parts) }))
        .filter((turn) => turn.turn > next && !turn.optional)
        .map(({ message: of, turn, parts }) => ({ message: of, turn, parts })),
    );
  }
}

/** A turn's parts in short, e.g. `text, call A (command), gate held`. */
const inWords = (parts: Part[]): string =>
  parts
    .map((part) => {
      if ('call' in part) return `call ${part.call} (${part.kind})`;
      if ('subtask' in part) return 'call (subtask)';
      if ('gate' in part) return `gate ${part.gate}`;
      if ('error' in part) return `error ${part.error.status}`;
      return Object.keys(part)[0] ?? '';
    })
    .join(', ');
