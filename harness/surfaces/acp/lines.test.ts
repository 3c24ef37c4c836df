import { expect, test } from '@playwright/test';
import { LineReader } from './lines.ts';

function read(chunks: (string | Buffer)[], limit = 1_000) {
  const lines: string[] = [];
  const reader = new LineReader(limit, (line) => lines.push(line));
  const taken = chunks.map((chunk) => reader.push(Buffer.from(chunk)));
  return { lines, taken };
}

test('cuts at line feeds only, wherever the chunks are cut', () => {
  const euro = Buffer.from('€');
  const { lines } = read([
    '{"a":1}\r\n{"b"',
    ':"x\u2028y"}\n\n',
    euro.subarray(0, 1),
    euro.subarray(1),
    '\nrest',
  ]);
  expect(lines).toEqual(['{"a":1}', '{"b":"x\u2028y"}', '', '€']);
});

test('does not gather a line that never ends', () => {
  const { lines, taken } = read(['x'.repeat(600), 'x'.repeat(600), 'y\nz\n'], 1_000);
  expect(taken).toEqual([true, false, true]);
  expect(lines).toEqual(['y', 'z']);
});
