import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { type Client, CouldNotRun, type Driver } from '../clients/define.ts';
import { Recorder } from '../history/recorder.ts';
import { rolesOf } from '../history/roles.ts';
import { headerOf, type Trial, trialId } from '../history/trial.ts';
import type { ScriptedModel } from '../model/script.ts';
import { startScriptedModel } from '../model/scripted-model.ts';
import { createWorld, type World } from '../world/world.ts';
import { variantOf } from './actions/index.ts';
import { Handoff } from './handoff.ts';
import { momentOf } from './moments/index.ts';
import { offerOf } from './offers.ts';
import { limitsOf } from './stage.ts';

export interface OpenOptions {
  client: Client;
  trial: Trial;
  /** Folder that gets this hand-off's evidence. */
  evidence: string;
  /** Folder whose content becomes the workspace. */
  template: string;
  /** Folder of the installed client, when it is one that gets installed. */
  installed?: string;
  version: string;
  browser: () => Promise<Browser>;
  headed: boolean;
}

/** A hand-off with everything it needs running: fresh world, scripted model, launched client, open record. */
export interface OpenHandoff {
  handoff: Handoff;
  driver: Driver;
  model: ScriptedModel;
  recorder: Recorder;
  /** What the client itself printed. */
  output: string[];
  /** Ends everything that was started and closes the record. Never throws. */
  close(): Promise<void>;
}

/** Folder of a trial's evidence below the folder of its run. Not every system takes a colon in a name. */
export const evidenceOf = (run: string, trial: Trial): string =>
  join(run, ...trialId(trial).replaceAll(':', '-').split('/'));

/**
 * Sets the stage for one hand-off and launches the client.
 *
 * @throws CouldNotRun when the client does not offer the trial, exits, or never becomes ready.
 */
export async function openHandoff(options: OpenOptions): Promise<OpenHandoff> {
  const { client, trial } = options;
  const offer = offerOf(client, trial);
  if ('notOffered' in offer) throw new CouldNotRun(`${client.id} does not offer ${trial.action}`);
  const variant = variantOf(trial);
  const header = headerOf(trial, {
    surface: client.surface,
    treatment: offer.treatment,
    version: options.version,
    witnesses: client.witnesses,
    leaves: variant.leaves,
    calls: [...(variant.calls ?? []), ...(momentOf(trial.moment).calls ?? [])],
    messages: variant.messages ?? [],
  });
  mkdirSync(options.evidence, { recursive: true });
  const recorder = new Recorder(header, join(options.evidence, 'history.jsonl'));
  const roles = rolesOf(header);
  const { record } = recorder;
  const output: string[] = [];
  const limits = limitsOf(client);
  let world: World | undefined;
  let model: ScriptedModel | undefined;
  let driver: Driver | undefined;
  const close = async () => {
    recorder.end('interrupted');
    await driver?.close();
    await model?.close();
    world?.close();
  };
  try {
    world = createWorld({ header, template: options.template, record });
    model = await startScriptedModel({ roles, record });
    driver = await client.launch({
      home: world.home,
      workspace: world.workspace,
      modelUrl: model.url,
      wire: trial.wire,
      header,
      roles,
      record,
      browser: options.browser,
      headed: options.headed,
      limits,
      output: (line) => void output.push(line),
      ...(options.installed ? { installed: options.installed } : {}),
      ...(trial.fault ? { fault: trial.fault } : {}),
    });
  } catch (error) {
    recorder.end('crashed', error instanceof Error ? error.message : String(error));
    await close();
    throw error;
  }
  const handoff = new Handoff({ trial, variant, client, header, driver, model, world, recorder, limits });
  return { handoff, driver, model, recorder, output, close };
}
