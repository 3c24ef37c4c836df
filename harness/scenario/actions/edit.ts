import { type Action, byDriver, plain } from './action.ts';

/** The origin of it all: the earlier message is edited and sent again while its command waits for approval. */
export const edit: Action = {
  name: 'edit',
  ...plain('edits the message and sends it again', {
    leaves: 'settled',
    carriesNext: true,
    perform: byDriver('edit'),
  }),
};
