/**
 * Cuts a byte stream into lines at LF only. `node:readline` also cuts at U+2028 and U+2029, which may stand
 * unescaped inside JSON, and has no limit on a line that never ends.
 */
export class LineReader {
  readonly #limit: number;
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #size = 0;

  /**
   * @param limit longest line, bytes
   * @param onLine gets each line without its end
   */
  constructor(limit: number, onLine: (line: string) => void) {
    this.#limit = limit;
    this.#onLine = onLine;
  }

  /** Takes a chunk. `false` when the line in progress is over the limit; it is then dropped. */
  push(chunk: Buffer): boolean {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      if (!this.#add(chunk.subarray(start, end))) return false;
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#clear();
      start = end + 1;
      this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    }
    return start === chunk.length || this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): boolean {
    this.#size += part.length;
    if (this.#size > this.#limit) {
      this.#clear();
      return false;
    }
    this.#parts.push(part);
    return true;
  }

  #clear(): void {
    this.#parts = [];
    this.#size = 0;
  }
}
