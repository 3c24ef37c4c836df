import type { Gate } from './script.ts';

/** All gates of one scripted model, made on first mention. */
export class Gates {
  readonly #gates = new Map<string, HeldGate>();

  gate(name: string): HeldGate {
    const known = this.#gates.get(name);
    if (known) return known;
    const made = new HeldGate(name);
    this.#gates.set(name, made);
    return made;
  }

  /** Names of the gates at which a stream waits. */
  held(): string[] {
    return [...this.#gates.values()].filter((gate) => gate.held).map((gate) => gate.name);
  }

  /** How many streams wait, at all gates together. */
  waiting(): number {
    return [...this.#gates.values()].reduce((sum, gate) => sum + gate.waiting, 0);
  }
}

class HeldGate implements Gate {
  readonly name: string;
  #opened = false;
  readonly #waiters = new Set<() => void>();

  constructor(name: string) {
    this.name = name;
  }

  get held(): boolean {
    return this.#waiters.size > 0;
  }

  get opened(): boolean {
    return this.#opened;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  open(): void {
    this.#opened = true;
    for (const pass of [...this.#waiters]) pass();
  }

  /** Resolves when the gate is opened or the signal aborts; from then on, at once, the gate is not held by this stream. */
  wait(signal: AbortSignal): Promise<void> {
    if (this.#opened || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const pass = () => {
        this.#waiters.delete(pass);
        signal.removeEventListener('abort', pass);
        resolve();
      };
      this.#waiters.add(pass);
      signal.addEventListener('abort', pass);
    });
  }
}
