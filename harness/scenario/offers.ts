import { type Client, CouldNotRun } from '../clients/define.ts';
import type { Trial } from '../history/trial.ts';
import { type Treatment, writeAction } from '../history/vocabulary.ts';
import { fits } from './fits.ts';

/**
 * How the client's profile treats the trial's action in its variant, or why it does not offer the trial.
 *
 * @param named whether the action was asked for by name
 * @throws CouldNotRun when the profile says nothing about an action asked for by name: an error, never a silence.
 */
export function offerOf(
  client: Client,
  trial: Trial,
  named = true,
): { treatment: Treatment } | { notOffered: string } {
  const offer = client.actions[trial.action];
  if (!offer) {
    if (!named) return { notOffered: `${trial.action} is not driven on ${client.id} yet` };
    throw new CouldNotRun(
      `the profile of ${client.id} says nothing about the action ${trial.action}`,
      'declare how it treats it, or notOffered with the reason',
    );
  }
  if ('notOffered' in offer) return offer;
  const ofVariant = offer.variants?.[trial.variant] ?? { treatment: offer.treatment };
  if ('notOffered' in ofVariant) return ofVariant;
  if (!client.asks.includes(trial.ask)) return { notOffered: `${client.id} has no ask of kind ${trial.ask}` };
  if (!client.wires.includes(trial.wire))
    return { notOffered: `${client.id} cannot be driven over ${trial.wire}` };
  const makesSense = fits(trial);
  if (makesSense === true) return ofVariant;
  return {
    notOffered: `${writeAction(trial.action, trial.variant)} with an ask of kind ${trial.ask}, ${trial.moment}: ${makesSense}`,
  };
}
