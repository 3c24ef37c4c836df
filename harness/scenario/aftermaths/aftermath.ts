import type { LateRoute } from '../../clients/define.ts';
import type { Aftermath as AftermathName } from '../../history/vocabulary.ts';
import type { Turn } from '../../model/script.ts';
import type { Goal } from '../observe.ts';
import type { Stage } from '../stage.ts';

/** What the person does next: one file each, one line in the registry. */
export interface Aftermath {
  name: AftermathName;
  /** What the person does next, as a sentence. */
  title: string;
  /** What the model says to message B, and to C where the person sends one. */
  script(stage: Stage): { B: Turn[]; C?: Turn[] };
  /** How far the run of message B goes by itself. */
  goal: Goal;
  /** The rest of the story. `late` are the routes by which the old ask can still be answered. */
  play(stage: Stage, late: LateRoute[]): Promise<void>;
}
