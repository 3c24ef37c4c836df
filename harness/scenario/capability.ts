import type { Stage } from './stage.ts';

/** What a driver need not have. @throws Error when the profile offers an action that takes it all the same. */
export function needed<T>(stage: Stage, capability: T | undefined, name: string): NonNullable<T> {
  if (capability) return capability;
  throw new Error(`${stage.client.id} offers ${stage.header.id}, but its driver has no ${name}`);
}
