import { relative } from 'node:path';
import { test as base, type TestInfo } from '@playwright/test';
import { type Client, CouldNotRun } from './clients/define.ts';
import { clientNamed } from './clients/index.ts';
import { requireInstalled } from './clients/install.ts';
import { type HandoffVerdicts, judge } from './contract/judge.ts';
import { timelineOf } from './history/timeline.ts';
import type { Trial } from './history/trial.ts';
import type { ActionName } from './history/vocabulary.ts';
import { outFolder, packageVersion, workspaceTemplate } from './package.ts';
import { type HandoffResult, RESULT_ATTACHMENT, redLines, replayCommand, writeEvidence } from './result.ts';
import { offerOf } from './scenario/offers.ts';
import { evidenceOf, type OpenHandoff, type OpenOptions, openHandoff } from './scenario/open.ts';
import { type Plan, plansOf, planTitle, selected } from './scenario/selection.ts';

export { expect } from '@playwright/test';
export { FAULTS_TAG } from './result.ts';
export { plansOf, planTitle } from './scenario/selection.ts';

/** One hand-off as a spec tells it. */
export interface HandoffStory {
  /** The person sends message A and the client shows the ask for its tool call. */
  untilTheAskIsOpen(): Promise<void>;
  /** The person does what ends the life of that ask. */
  supersede(): Promise<void>;
  /** The run of the next message goes as far as it does by itself. */
  observe(): Promise<void>;
  /** What the person does next, late answers to the old ask included. */
  aftermath(): Promise<void>;
  /** A last look after a quiet window, then the judge. @throws Error that lists every violated requirement. */
  holdsTheContract(): Promise<void>;
  /** The same last look and judgement, without throwing on a violation. */
  verdicts(): Promise<HandoffVerdicts>;
  /** Leaves the evidence and ends everything that was started. Called at the end of the test when it was not before. */
  close(): Promise<void>;
}

/** What a project sets. */
export interface ClientOption {
  /** Id of the client under test; each project sets one. */
  clientId: string;
}

interface Fixtures {
  /** Sets the stage for a planned hand-off on the project's client; what it started ends with the test at the latest. */
  begin: (plan: Plan) => Promise<HandoffStory>;
}

/** Playwright's test with hand-offs on the project's client. */
export const test = base.extend<Fixtures, ClientOption>({
  clientId: ['reference-web', { option: true, scope: 'worker' }],

  begin: async ({ clientId, browser, headless }, use, testInfo) => {
    const client = clientNamed(clientId);
    if (!client) throw new CouldNotRun(`there is no client named ${clientId}`);
    const stories: Story[] = [];
    await use(async (plan) => {
      const story = new Story(client, testInfo, { browser: async () => browser, headed: !headless });
      stories.push(story);
      await story.begin(plan);
      return story;
    });
    for (const story of stories) await story.close();
  },
});

/** Tag of every test that is a hand-off; the command line selects by it. */
export const HANDOFF_TAG = '@handoff';

/**
 * Declares one test per selected hand-off of an action. The story is told once and names no client.
 *
 * @param action the supersession or control
 * @param title what the person does, in words
 * @param story the steps after the stage is set
 */
export function handoffs(
  action: ActionName,
  title: string,
  story: (handoff: HandoffStory) => Promise<void>,
): void {
  test.describe(title, { tag: HANDOFF_TAG }, () => {
    for (const plan of plansOf(action))
      test(planTitle(plan), async ({ begin }) => {
        await story(await begin(plan));
      });
  });
}

type Means = Pick<OpenOptions, 'browser' | 'headed'>;

class Story implements HandoffStory {
  readonly #client: Client;
  readonly #testInfo: TestInfo;
  readonly #means: Means;
  #open: OpenHandoff | undefined;
  #result: HandoffResult | undefined;
  #folder = '';
  #started = 0;
  #closed = false;

  constructor(client: Client, testInfo: TestInfo, means: Means) {
    this.#client = client;
    this.#testInfo = testInfo;
    this.#means = means;
  }

  /**
   * Fresh world, scripted model, the client with auto-approval off. A client that declares that it has no such action ends
   * the test here, and the report says so with the client's own reason.
   */
  async begin(plan: Plan): Promise<void> {
    const client = this.#client;
    const trial: Trial = {
      ...plan,
      client: client.id,
      wire: plan.wire ?? (client.wires[0] as Trial['wire']),
    };
    this.#started = performance.now();
    this.#folder = evidenceOf(outFolder(), trial);
    const { repeatEachIndex } = this.#testInfo;
    if (repeatEachIndex > 0) this.#folder += `/repeat-${repeatEachIndex}`;
    const version = client.install?.version ?? packageVersion;
    this.#result = {
      ...trial,
      version,
      status: 'could-not-run',
      ms: 0,
      verdicts: {},
      history: relative(process.cwd(), `${this.#folder}/history.jsonl`),
      replay: replayCommand(trial),
    };
    const offer = offerOf(client, trial, !selected()?.anyAction);
    if ('notOffered' in offer) {
      const reason = offer.notOffered;
      const { history: _, ...result } = this.#result;
      this.#result = { ...result, status: 'not-offered', error: reason };
      await this.#attach();
      this.#testInfo.skip(true, `not offered: ${reason}`);
    }
    this.#open = await openHandoff({
      client,
      trial,
      evidence: this.#folder,
      template: workspaceTemplate,
      version,
      ...this.#means,
      ...(client.install ? { installed: requireInstalled(client.install) } : {}),
    });
  }

  untilTheAskIsOpen = () => base.step('the ask is open', () => this.#handoff.untilTheAskIsOpen());
  supersede = () => base.step('supersede', () => this.#handoff.supersede());
  observe = () => base.step('observe the new run', () => this.#handoff.observe());
  aftermath = () => base.step('aftermath', () => this.#handoff.aftermath());

  async verdicts(): Promise<HandoffVerdicts> {
    const open = this.#opened;
    await base.step('look again, and judge', () => open.handoff.finish());
    const verdicts = judge(open.recorder.history);
    const result = this.#result as HandoffResult;
    Object.assign(result, { status: 'judged', ms: this.#elapsed(), verdicts });
    const red = Object.values(verdicts).some((verdict) => verdict.verdict === 'violated');
    if (red) await this.#picture();
    else assertNothingLeft(open);
    return verdicts;
  }

  async holdsTheContract(): Promise<void> {
    await this.verdicts();
    const lines = redLines(this.#result as HandoffResult);
    if (lines.length > 0) throw new ContractViolated(lines);
  }

  /** Leaves the evidence, whatever happened, and ends everything that was started. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { errors } = this.#testInfo;
    if (this.#result?.status === 'not-offered') return;
    const interrupted = this.#testInfo.status === 'interrupted';
    const broken = errors.find((error) => !error.message?.includes(ContractViolated.title));
    if (this.#open) {
      this.#open.recorder.end(interrupted ? 'interrupted' : 'crashed', broken?.message);
      writeEvidence(
        this.#folder,
        'timeline.txt',
        timelineOf(this.#open.recorder.history, this.#result?.verdicts ?? {}),
      );
      if (errors.length > 0) writeEvidence(this.#folder, 'client-output.txt', this.#open.output.join('\n'));
      await this.#open.close();
    }
    if (!this.#result) return;
    if (broken) {
      Object.assign(this.#result, { status: 'could-not-run', error: broken.message, ms: this.#elapsed() });
    }
    await this.#attach();
  }

  get #opened(): OpenHandoff {
    if (!this.#open) throw new Error('the hand-off has not begun: call begin first');
    return this.#open;
  }

  get #handoff() {
    return this.#opened.handoff;
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#started);
  }

  async #attach(): Promise<void> {
    const body = JSON.stringify(this.#result);
    await this.#testInfo.attach(RESULT_ATTACHMENT, { body, contentType: 'application/json' });
  }

  async #picture(): Promise<void> {
    const picture = await this.#opened.driver.picture?.();
    if (picture) await this.#testInfo.attach(picture.name, { body: picture.body, contentType: picture.type });
  }
}

/** The contract was broken; the message lists each requirement with its witness and the replay. */
export class ContractViolated extends Error {
  static readonly title = 'the hand-off breaks the contract';
  override name = 'ContractViolated';
  constructor(lines: string[]) {
    super([`${ContractViolated.title}:`, ...lines].join('\n'));
  }
}

/** A clean verdict counts only if the script was used up, nothing unscripted came, and no gate still holds a stream. */
function assertNothingLeft({ model, recorder }: OpenHandoff): void {
  const problems = [
    ...recorder
      .all('model.unscripted')
      .map((request) => `a model request that was not scripted: ${request.shape}`),
    ...model
      .leftovers()
      .map((left) => `message ${left.message}, turn ${left.turn} was never asked for: ${left.parts}`),
    ...model.heldGates().map((gate) => `a stream still waits at the gate ${gate}`),
  ];
  if (problems.length > 0)
    throw new CouldNotRun(`the scripted model was not used as scripted:\n${problems.join('\n')}`);
}
