import type { CallRole, HandoffEvent, Header, History, MessageRole } from '../history/events.ts';
import { before, surelyAfter } from '../history/intervals.ts';
import type { EventOf } from '../history/recorder.ts';
import type { ActionName } from '../history/vocabulary.ts';
import { maySupersede, policyAllows, runMayGoOn, takesBack } from './course.ts';
import { type AskLife, approves, lifeOf, takesHold } from './lives.ts';
import { type Answer, answersIn, isOver, type Submission, submissionsIn } from './person.ts';
import { Screens } from './screens.ts';

export { type AskLife, approves, type Death, ends } from './lives.ts';

/**
 * Everything that the requirements ask of a history, derived once, without I/O, without knowledge of any client.
 * Lists of one type are in the order of time.
 */
export class Facts {
  readonly header: Header;
  readonly action: ActionName;
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

  /** Whether the action is, by its kind, one that leaves no ask open, whatever the client made of it. */
  get supersessionTried(): boolean {
    const { leaves } = this.header;
    return this.#begun && maySupersede(this.header) && leaves === 'settled' && !this.#onlyAnswers;
  }

  /** Whether the profile's word on how the client treats the action can be checked. */
  get treated(): boolean {
    const kept = this.keptLive || this.header.treatment !== 'settle';
    return this.supersessionTried || (this.#begun && maySupersede(this.header) && kept);
  }

  /** Whether the action ends the life of message A's asks by itself. */
  get supersedes(): boolean {
    return this.supersessionTried && !this.keptLive;
  }

  /** Whether the action ends the run of message A. */
  get endsRun(): boolean {
    if (runMayGoOn(this.header) || this.keptLive) return false;
    if (this.supersedes) return true;
    const { begin } = this.supersession;
    if (!begin || (this.action !== 'restart' && this.action !== 'switch-session')) return false;
    const open = this.asks.filter(
      ({ death, ofA }) => ofA && !(death?.how === 'answered' && before(death.begin, begin) === 'yes'),
    );
    return open.length > 0 ? open.every(({ death }) => death?.how === 'ended') : this.action === 'restart';
  }

  /** Whether the action may leave ask A open, or did because the client kept it: then it must be reachable until its end. */
  get mayStayOpen(): boolean {
    return this.#begun && !this.#isControl && (this.keptLive || this.header.leaves !== 'settled');
  }

  get #begun(): boolean {
    return this.supersession.begin !== undefined;
  }

  get #isControl(): boolean {
    return this.action === 'approve' || this.action === 'deny';
  }

  /** The action consists of answers to asks of message A: nothing else that the person did could end their run. */
  get #onlyAnswers(): boolean {
    const { begin, end } = this.supersession;
    if (!begin) return false;
    const within = (event: HandoffEvent) =>
      before(event, begin) !== 'yes' && (!end || before(end, event) !== 'yes');
    return (
      this.answers.some((one) => one.intent === 'live' && this.isOfA(one.call) && within(one.begin)) &&
      !this.submissions.some((one) => one.message !== 'A' && within(one.begin))
    );
  }

  /** Whether a call belongs to message A, whose asks the action is about. */
  isOfA(call: CallRole | undefined): boolean {
    return call !== undefined && this.header.calls[call]?.message === 'A';
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
      life = lifeOf(this, call);
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

  /**
   * Whether a model turn belongs to the run that was going on when the action came. A retry runs message A again: by its
   * marker alone that new run cannot be told from the old one, but only the old one carries the call.
   */
  isOldTurn(turn: EventOf<'model.request'>): boolean {
    if (turn.message !== 'A') return false;
    const { begin } = this.supersession;
    if (takesBack(this.header) !== 'answer' || !begin || !surelyAfter(begin, turn)) return true;
    return turn.calls.some((call) => this.isOfA(call.role));
  }

  /** The first model turn of the run that follows the action. */
  get nextTurn(): EventOf<'model.request'> | undefined {
    const { begin } = this.supersession;
    return this.turns.find(
      (turn) =>
        turn.message === 'B' ||
        (turn.message === 'A' && begin && surelyAfter(begin, turn) && !this.isOldTurn(turn)),
    );
  }

  /** The live approvals of a call: given on purpose, taken by the client, and while the ask was open. */
  approvals(call: CallRole): Answer[] {
    const { death, settled } = this.ask(call);
    const denied = this.answers.find((one) => one.call === call && takesHold(this, one) && !approving(one));
    const wonOver = settled[0] && approves(settled[0].outcome);
    return this.answers.filter(
      (one) =>
        one.call === call &&
        approving(one) &&
        takesHold(this, one) &&
        !(death?.how === 'superseded' && before(one.begin, death.begin) !== 'yes') &&
        // After the person's own no a yes is too late, unless the two raced and the yes came first.
        !(denied && before(denied.begin, one.begin) === 'yes' && !(wonOver && !isOver(denied, one))),
    );
  }

  /** What allows a call to run: its live approvals, and a settlement by the policy that the person switched to. */
  grants(call: CallRole): HandoffEvent[] {
    const { settled, kind } = this.ask(call);
    const byPolicy = settled.filter(
      (one) => approves(one.outcome) && one.by === 'system' && policyAllows(this.header, kind),
    );
    return [...this.approvals(call).map((one) => one.begin), ...byPolicy];
  }

  /** The time at which an answer can first have reached the client: one held on its way comes after the action. */
  arrival({ route, begin }: Answer): HandoffEvent {
    const { end } = this.supersession;
    return route === 'in-flight' && end && before(begin, end) === 'yes' ? end : begin;
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
}

const approving = ({ decision }: Answer): boolean => decision !== 'deny';
