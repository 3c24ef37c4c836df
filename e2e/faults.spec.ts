import { clientNamed } from '../harness/clients/index.ts';
import { expect, FAULTS_TAG, type HandoffStory, test } from '../harness/playwright.ts';
import { plansOf } from '../harness/scenario/selection.ts';

// A harness is worth what it catches: every seeded fault breaks exactly the requirements that its file names.
const faults = (await clientNamed('reference-web')?.faults?.()) ?? [];

async function violatedIn(handoff: HandoffStory): Promise<string[]> {
  await handoff.untilTheAskIsOpen();
  await handoff.supersede();
  await handoff.observe();
  await handoff.aftermath();
  const verdicts = await handoff.verdicts();
  await handoff.close();
  return Object.keys(verdicts).filter((slug) => verdicts[slug]?.verdict === 'violated');
}

test.describe('every seeded fault breaks exactly the requirements that it names', { tag: FAULTS_TAG }, () => {
  for (const fault of faults)
    test(fault.name, async ({ begin }) => {
      const broken = new Set<string>();
      for (const { action, ...limits } of fault.tries)
        for (const plan of plansOf(action, { ...limits, fault: fault.name }))
          for (const slug of await violatedIn(await begin(plan))) broken.add(slug);
      expect([...broken].sort()).toEqual([...fault.breaks].sort());
    });
});
