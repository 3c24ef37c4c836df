import { type Action, byDriver } from './action.ts';

/** Another message is sent instead of answering the ask. */
export const newMessage: Action = {
  name: 'new-message',
  title: 'sends another message instead of answering',
  carriesNext: true,
  perform: byDriver('new-message'),
};
