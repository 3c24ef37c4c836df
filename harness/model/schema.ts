import type { Schema } from './conversation.ts';

/**
 * What is known of a parameter by its name: the value, or `undefined` to have it filled like any other. `schema` is
 * the parameter's own.
 */
export type Known = (name: string, schema: Schema) => unknown;

/** A name without its case and separators, so that `filePath`, `file_path` and `FilePath` are one. */
export const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The schema's type, in lower case (one wire writes it in capitals) and without `null`. */
export function typeOf(schema: Schema): string {
  const types = [schema.type ?? []].flat().map((type) => type.toLowerCase());
  const found = types.find((type) => type !== 'null');
  if (found) return found;
  if (schema.properties) return 'object';
  if (schema.items) return 'array';
  return schema.enum ? typeof schema.enum[0] : types[0] === 'null' ? 'null' : 'string';
}

/**
 * A value that fits a schema: known parameters get their value, further required ones something harmless, the rest is
 * left out.
 */
export function fill(schema: Schema, known: Known = () => undefined, name = '', root = schema): unknown {
  const at = resolve(schema, root);
  const value = name ? known(plain(name), at) : undefined;
  if (value !== undefined) return fit(value, at, known, root);
  switch (typeOf(at)) {
    case 'object': {
      const made: Record<string, unknown> = {};
      for (const [key, property] of Object.entries(at.properties ?? {})) {
        const resolved = resolve(property, root);
        const wanted = known(plain(key), resolved) !== undefined || at.required?.includes(key);
        if (wanted || holdsKnown(resolved, known, root)) made[key] = fill(resolved, known, key, root);
      }
      return made;
    }
    case 'array':
      return at.items && holdsKnown(at, known, root) ? [fill(at.items, known, '', root)] : [];
    default:
      return harmless(plain(name), at);
  }
}

/** Gives a known value the form that the schema wants. */
function fit(value: unknown, schema: Schema, known: Known, root: Schema): unknown {
  const type = typeOf(schema);
  if (type === 'array') {
    const items = schema.items ? resolve(schema.items, root) : undefined;
    const values = Array.isArray(value) ? value : [value];
    if (!items || typeOf(items) !== 'object') return values;
    return values.map((one) => {
      if (typeof one !== 'string') return one;
      // A list of objects where a text is known: the text goes into the first text that is asked for.
      const first = Object.entries(items.properties ?? {}).find(
        ([, p]) => typeOf(resolve(p, root)) === 'string',
      );
      return fill(items, (name, of) => (name === plain(first?.[0] ?? '') ? one : known(name, of)), '', root);
    });
  }
  if (type === 'string' && Array.isArray(value)) return value.join('\n');
  return value;
}

/** Whether a list of objects has a known parameter inside, e.g. `questions: [{question}]`. */
function holdsKnown(schema: Schema, known: Known, root: Schema): boolean {
  if (typeOf(schema) !== 'array' || !schema.items) return false;
  const items = resolve(schema.items, root);
  return Object.entries(items.properties ?? {}).some(
    ([key, property]) => known(plain(key), resolve(property, root)) !== undefined,
  );
}

/** A value for a required parameter of which nothing is known. */
function harmless(name: string, schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum.includes('user') ? 'user' : schema.enum[0];
  switch (typeOf(schema)) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return /timeout|wait|yield/.test(name) ? 10_000 : (schema.minimum ?? 1);
    case 'null':
      return null;
    default:
      return /^(cwd|workdir|directory|dirpath|workingdirectory)$/.test(name) ? '.' : 'Run the check.';
  }
}

/** Follows local references and takes the first real branch of a choice. */
function resolve(schema: Schema, root: Schema, depth = 0): Schema {
  if (depth > 20) return {};
  if (schema.$ref?.startsWith('#/')) {
    let at: unknown = root;
    for (const step of schema.$ref.slice(2).split('/'))
      at = (at as Record<string, unknown> | undefined)?.[step];
    return resolve((at as Schema | undefined) ?? {}, root, depth + 1);
  }
  const branch = (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null');
  if (branch && !schema.properties)
    return resolve({ ...schema, anyOf: undefined, oneOf: undefined, ...branch } as Schema, root, depth + 1);
  if (schema.allOf?.[0] && !schema.properties)
    return resolve({ ...schema, allOf: undefined, ...schema.allOf[0] } as Schema, root, depth + 1);
  return schema;
}
