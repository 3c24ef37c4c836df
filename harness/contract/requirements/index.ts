import { answerBound } from './answer-bound.ts';
import { askSurvivesOrExpires } from './ask-survives-or-expires.ts';
import { callsPaired } from './calls-paired.ts';
import { explicitConsent, noUnapprovedEffect } from './consent.ts';
import { deadAskRefused } from './dead-ask-refused.ts';
import { lateEventsFenced } from './late-events-fenced.ts';
import { liveAskReachable } from './live-ask-reachable.ts';
import { newRunFree } from './new-run-free.ts';
import { noResurrection } from './no-resurrection.ts';
import { outcomeTruthful } from './outcome-truthful.ts';
import { policyReevaluated } from './policy-reevaluated.ts';
import { settledAskGone } from './settled-ask-gone.ts';
import { settledOnce } from './settled-once.ts';
import { askSettled, settledBeforeNext } from './settlement.ts';
import { siblingsIsolated } from './siblings-isolated.ts';

/** The contract: seventeen requirements, in the order in which public reports show them broken. */
export const requirements = [
  newRunFree,
  askSettled,
  settledBeforeNext,
  liveAskReachable,
  settledAskGone,
  outcomeTruthful,
  answerBound,
  askSurvivesOrExpires,
  explicitConsent,
  siblingsIsolated,
  settledOnce,
  callsPaired,
  noUnapprovedEffect,
  lateEventsFenced,
  policyReevaluated,
  noResurrection,
  deadAskRefused,
] as const;

/** Name of a requirement. It never changes. */
export type Slug = (typeof requirements)[number]['slug'];

/** Every slug, in the order of the contract. */
export const SLUGS: readonly Slug[] = requirements.map(({ slug }) => slug);
