import { answerBound, deadAskRefused } from './answers.ts';
import { explicitConsent, noUnapprovedEffect, policyReevaluated, siblingsIsolated } from './consent.ts';
import { callsPaired, lateEventsFenced, noResurrection } from './conversation.ts';
import { newRunFree } from './new-run-free.ts';
import { outcomeTruthful } from './outcome-truthful.ts';
import { askSurvivesOrExpires, liveAskReachable, settledAskGone } from './screen.ts';
import { askSettled, settledBeforeNext, settledOnce } from './settlement.ts';

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
