import type { CallRole, HandoffEvent, Header, History, MessageRole } from '../history/events.ts';
import { before } from '../history/intervals.ts';
import type { EventOf } from '../history/recorder.ts';
import type { ActionName, Settlement } from '../history/vocabulary.ts';
import { type Answer, answersIn, type Submission, submissionsIn } from './person.ts';
import { Screens } from './screens.ts';

/** Actions that end the life of an open ask when the client treats them as `settle`. */
const SUPERSEDING: ReadonlySet<ActionName> = new Set([
  'edit',
  'retry',
  'checkpoint-restore',
  'stop',
  'new-session',
  'switch-session',
  'new-message',
  'queued-message',
  'subagent',
  'timeout',
  'provider-error',
]);

/** The end of an ask's life as the person made it. */
export interface Death {
  how: 'superseded' | 'answered';
  /** The person's act, as it began and as it was over. */
  begin: HandoffEvent;
  end: HandoffEvent;
  /** `answered` only. */
  decision?: Answer['decision'];
}

/** What is known of the ask of one call. */
export interface AskLife {
  call: CallRole;
  question: boolean;
  /** The client's own ids of it. */
  ids: ReadonlySet<string>;
  opened: EventOf<'engine.ask-opened'>[];
  settled: EventOf<'engine.ask-settled'>[];
  /** Earliest time of each settlement: a list that still held the ask narrows a polled interval. */
  settledSince: (settlement: EventOf<'engine.ask-settled'>) => number;
  decisions: EventOf<'engine.decision'>[];
  /** Lists of pending asks taken after the ask was known, each with whether it holds this ask. */
  pending: { event: EventOf<'engine.pending'>; holds: boolean }[];
  /** Whether any witness ever saw it. */
  seen: boolean;
  death: Death | undefined;
}

/**
 * Everything that the requirements ask of a history, derived once, without I/O, without knowledge of any client.
 * Lists of one type are in the order of time.
 */
export class Facts {
  readonly header: Header;
  readonly action: ActionName;
  /** The plain yes or no: it supersedes nothing. */
  readonly control: boolean;
  /** Whether the record ran to its proper end. */
  readonly complete: boolean;
  readonly end: EventOf<'end'> | undefined;
  readonly supersession: { begin?: EventOf<'person.supersede'>; end?: EventOf<'person.supersede'> };
  readonly answers: Answer[];
  readonly submissions: Submission[];
  readonly screens: Screens;
  readonly #byType = new Map<string, HandoffEvent[]>();
  readonly #lives = new Map<CallRole, AskLife>();

  constructor(history: History) {
    this.header = history.header;
    this.action = history.header.action;
    this.control = this.action === 'approve' || this.action === 'deny';
    for (const event of history.events) {
      const list = this.#byType.get(event.type);
      if (list) list.push(event);
      else this.#byType.set(event.type, [event]);
    }
    for (const list of this.#byType.values()) list.sort((a, b) => a.t - b.t || a.seq - b.seq);
    this.end = this.all('end').at(-1);
    this.complete = this.end?.reason === 'complete';
    const acts = this.all('person.supersede');
    const begin = acts.find((act) => act.phase === 'begin');
    const end = acts.find((act) => act.phase === 'end');
    this.supersession = { ...(begin ? { begin } : {}), ...(end ? { end } : {}) };
    this.answers = answersIn(history);
    this.submissions = submissionsIn(history);
    this.screens = new Screens(this.all('screen.state'));
  }

  /** The events of one type, in the order of time. */
  all<K extends HandoffEvent['type']>(type: K): readonly EventOf<K>[] {
    return (this.#byType.get(type) ?? []) as EventOf<K>[];
  }

  /** Whether the client visibly refused or queued the action: its ask is then still live. */
  get keptLive(): boolean {
    const outcome = this.supersession.end?.outcome;
    return outcome === 'refused' || outcome === 'queued';
  }

  /** Whether the action ends the life of ask A by itself. */
  get supersedes(): boolean {
    return SUPERSEDING.has(this.action) && this.supersession.begin !== undefined && !this.keptLive;
  }

  /** The action is one that supersedes, whatever the client made of it. */
  get supersessionTried(): boolean {
    return SUPERSEDING.has(this.action) && this.supersession.begin !== undefined;
  }

  /** Every ask that any witness saw, in the order of the header. */
  get asks(): readonly AskLife[] {
    this.#asks ??= (Object.keys(this.header.calls) as CallRole[])
      .map((call) => this.ask(call))
      .filter((ask) => ask.seen);
    return this.#asks;
  }
  #asks: AskLife[] | undefined;

  /** The life of one call's ask. */
  ask(call: CallRole): AskLife {
    let life = this.#lives.get(call);
    if (!life) {
      life = this.#lifeOf(call);
      this.#lives.set(call, life);
    }
    return life;
  }

  /** Model turns (no side requests), in the order of arrival. */
  get turns(): readonly EventOf<'model.request'>[] {
    this.#turns ??= this.all('model.request').filter((request) => request.kind === 'run');
    return this.#turns;
  }
  #turns: EventOf<'model.request'>[] | undefined;

  /** How a request ended, if it did. */
  endOf(request: { request: number }): EventOf<'model.ended'> | undefined {
    this.#ended ??= new Map(this.all('model.ended').map((end) => [end.request, end]));
    return this.#ended.get(request.request);
  }
  #ended: Map<number, EventOf<'model.ended'>> | undefined;

  /** The live approvals of a call: given on purpose, taken by the client, and while the ask was open. */
  approvals(call: CallRole): Answer[] {
    const death = this.ask(call).death;
    return this.answers.filter(
      (answer) =>
        answer.call === call &&
        answer.intent === 'live' &&
        answer.decision !== 'deny' &&
        answer.outcome !== 'gone' &&
        answer.outcome !== 'refused' &&
        !(death?.how === 'superseded' && before(answer.begin, death.begin) !== 'yes'),
    );
  }

  /** The last thing the person did before an event: what may have caused it. */
  stimulusOf(event: HandoffEvent): HandoffEvent | undefined {
    this.#stimuli ??= [
      ...this.answers.map((answer) => answer.begin),
      ...this.submissions.map((submission) => submission.begin),
      ...this.all('person.supersede').filter((act) => act.phase === 'begin'),
      ...this.all('person.did'),
    ].sort((a, b) => a.t - b.t || a.seq - b.seq);
    return this.#stimuli.findLast((stimulus) => stimulus.t <= event.t);
  }
  #stimuli: HandoffEvent[] | undefined;

  /** The message that a run of the client answers, as far as the engine says. */
  runsOf(message: MessageRole): Set<string> {
    const runs = new Set<string>();
    for (const type of ['engine.run-started', 'engine.run-ended'] as const) {
      for (const event of this.all(type)) if (event.message === message) runs.add(event.run);
    }
    for (const ask of this.all('engine.ask-opened')) {
      if (ask.run && ask.call && this.header.calls[ask.call]?.message === message) runs.add(ask.run);
    }
    return runs;
  }

  #lifeOf(call: CallRole): AskLife {
    const named = <T extends { call?: CallRole; ask: string }>(events: readonly T[]) =>
      events.filter((event) => event.call === call);
    const ids = new Set([
      ...named(this.all('engine.ask-opened')).map((event) => event.ask),
      ...named(this.all('engine.ask-settled')).map((event) => event.ask),
      ...this.all('engine.pending').flatMap((list) => named(list.asks).map((ask) => ask.ask)),
    ]);
    const mine = (event: { call?: CallRole; ask: string }) => event.call === call || ids.has(event.ask);
    const opened = this.all('engine.ask-opened').filter(mine);
    const pending = this.all('engine.pending').map((event) => ({ event, holds: event.asks.some(mine) }));
    const kind = this.header.calls[call]?.ask ?? opened[0]?.kind;
    return {
      call,
      question: kind === 'question',
      ids,
      opened,
      settled: this.all('engine.ask-settled').filter(mine),
      settledSince: (settlement) => {
        const still = pending.findLast(({ event, holds }) => holds && event.t <= settlement.t)?.event;
        return Math.max(settlement.since ?? settlement.t, still?.since ?? still?.t ?? 0);
      },
      decisions: this.all('engine.decision').filter((event) => event.call === call),
      pending,
      seen: ids.size > 0 || this.screens.everShows({ call, ids }),
      death: this.#deathOf(call),
    };
  }

  #deathOf(call: CallRole): Death | undefined {
    const { begin, end } = this.supersession;
    if (this.header.calls[call]?.message === 'A' && this.supersedes && begin) {
      return { how: 'superseded', begin, end: end ?? begin };
    }
    const answer = this.answers.find((given) => given.call === call && given.intent === 'live');
    if (!answer) return undefined;
    return {
      how: 'answered',
      begin: answer.begin,
      end: answer.end ?? answer.begin,
      decision: answer.decision,
    };
  }
}

/** Whether an outcome gives the tool its way. An answer does so only where an approval was asked for. */
export const approves = (outcome: Settlement): boolean => outcome === 'approved';

/** Whether an outcome is a proper end of an ask that nobody approved. */
export const ends = (outcome: Settlement, question: boolean): boolean =>
  outcome === 'denied' ||
  outcome === 'cancelled' ||
  outcome === 'expired' ||
  (question && outcome === 'answered');
