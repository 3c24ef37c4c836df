import type { Header } from '../history/events.ts';
import type {
  ActionName,
  Aftermath,
  AskKind,
  Moment,
  Surface,
  Treatment,
  Wire,
} from '../history/vocabulary.ts';
import type { Driver, LaunchContext } from '../surfaces/driver.ts';

export * from '../surfaces/driver.ts';

/** How a client treats one action, as its profile declares; checked by every hand-off. */
export type Offer =
  | {
      treatment: Treatment;
      /** What differs for single variants of the action. A variant that is left out is offered like the action itself. */
      variants?: Record<string, { treatment: Treatment } | { notOffered: string }>;
    }
  /** The client has no such action. The reason is shown. */
  | { notOffered: string };

/** How a client is got. Several clients may share one. */
export interface Install {
  /** Name on the command line: `approval-handoff clients install <name>`. */
  name: string;
  /** npm package and its pinned version. */
  package: string;
  version: string;
  /** Packages whose install scripts npm's guard leaves out and this client needs. */
  scripts?: string[];
  /** Packages installed beside it, `name@version`. */
  also?: string[];
  /** Path of the program inside the install folder, e.g. `node_modules/.bin/gemini`. */
  bin: string;
}

/** One agent client: profile and driver. */
export interface Client {
  /** Lower-case id, e.g. `opencode-web`. */
  id: string;
  /** Name for people. */
  title: string;
  surface: Surface;
  /** Wires it can be driven over; the first is the default. */
  wires: readonly Wire[];
  asks: readonly AskKind[];
  /** Every action must be named: an action that is left out is an error, not a silence. */
  actions: Partial<Record<ActionName, Offer>>;
  /** Witnesses this client has. */
  witnesses: Header['witnesses'];
  install?: Install;
  /** Limits, ms. */
  limits?: {
    /** From launch to ready for the first message. Default 30 000. */
    ready?: number;
    /** Window without any event after which the client counts as stuck. Default 700. */
    quiet?: number;
    /** One whole hand-off. Default 60 000. */
    handoff?: number;
  };
  /** The seeded faults it can be started with, when it takes any. */
  faults?(): Promise<FaultInfo[]>;
  /**
   * Starts the client and brings it to where the first message can be typed.
   * @throws CouldNotRun when it exits, never becomes ready, or lacks something.
   */
  launch(context: LaunchContext): Promise<Driver>;
}

const onlyWay = { notOffered: 'it treats a new message in one way only, which cannot be chosen' };

/** For clients whose way with a new message is no setting: `refuse` and `queue` cannot be asked of them. */
export const oneWay = { refuse: onlyWay, queue: onlyWay };

/** A seeded defect of the reference agent, as its own program lists it. */
export interface FaultInfo {
  name: string;
  /** What it does wrong, in one sentence. */
  what: string;
  /** Public reports it is drawn from. */
  reports: string[];
  /** Requirements it must break, exactly. */
  breaks: string[];
  /** Hand-offs that show it; `action` as written, e.g. `restart:sigkill`; what is left out of one means the default of that dimension. */
  tries: { action: string; aftermaths?: Aftermath[]; asks?: AskKind[]; moments?: Moment[] }[];
}

/** Declares a client. The identity function, typed: it keeps literal types and checks the shape. */
export function defineClient(client: Client): Client {
  return client;
}
