#!/usr/bin/env node
// The command itself is TypeScript; tsx loads it as it is.
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./main.ts');
await main(process.argv);
