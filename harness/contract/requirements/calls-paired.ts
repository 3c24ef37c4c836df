import { held, ms, requirement, violated } from '../opinion.ts';

export const callsPaired = requirement({
  slug: 'calls-paired',
  level: 'MUST',
  title: 'Every call has its result',
  rule: 'The next model request of that conversation carries exactly one result for every tool call it contains.',
  why: 'Providers reject a call without a result, and the conversation is lost for good.',
  broken:
    'The next request carries the old tool call without a result, or with two, and the provider refuses the whole conversation.',
  witnesses: ['model'],
  sources: { reports: [24, 78, 82, 83, 87, 98, 142, 160, 161, 165, 169, 170, 175] },
  atStake: (_history, facts) =>
    facts.turns.some((turn) => turn.calls.length > 0 || turn.orphanResults > 0) ||
    'no later request of that conversation carried a call',
  clauses: [
    {
      name: 'paired',
      expected:
        'each model turn has exactly one result for each call that it carries, and no result without a call',
      judge: (facts) => {
        const carrying = facts.turns.filter((turn) => turn.calls.length > 0 || turn.orphanResults > 0);
        for (const turn of carrying) {
          const wrong = turn.calls.find((call) => call.results !== 1);
          const name = `request ${turn.request} at ${ms(turn)}`;
          if (wrong) {
            const observed = `${name} carries call ${wrong.role ?? wrong.id} with ${wrong.results} results`;
            return [violated('model', observed, turn)];
          }
          if (turn.orphanResults > 0) {
            return [
              violated('model', `${name} carries ${turn.orphanResults} results that belong to no call`, turn),
            ];
          }
        }
        const last = carrying.at(-1);
        return [held('model', `${carrying.length} requests carry calls, each with one result`, last)];
      },
    },
  ],
});
