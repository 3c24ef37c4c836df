#!/usr/bin/env node
// Writes what is generated from the sources and committed: the page of the contract and the schema of histories.
import { register } from 'tsx/esm/api';

register();
const { writeDocs } = await import('./docs.ts');
for (const file of writeDocs()) console.log(`written: ${file}`);
