import { type Action, byDriver } from './action.ts';

/** The origin of it all: the earlier message is edited and sent again while its command waits for approval. */
export const edit: Action = {
  name: 'edit',
  title: 'edits the message and sends it again',
  carriesNext: true,
  perform: byDriver('edit'),
};
