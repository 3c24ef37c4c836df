import type { Trial } from '../history/trial.ts';
import { variantOf } from './actions/index.ts';
import { momentOf } from './moments/index.ts';

/** Whether such a hand-off makes sense on any client, or why not. */
export function fits(plan: Pick<Trial, 'action' | 'variant' | 'ask' | 'moment'>): true | string {
  const variant = variantOf(plan);
  if (variant.asks && !variant.asks.includes(plan.ask))
    return `it is done only with asks of the kinds: ${variant.asks.join(', ')}`;
  return momentOf(plan.moment).fits(variant, plan.ask);
}
