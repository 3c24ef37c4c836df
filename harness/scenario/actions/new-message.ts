import { type Action, byDriver, type Variant } from './action.ts';

const title = 'sends another message instead of answering';
const perform = byDriver('new-message');
/** With these policies the ask must be open when the message is sent; before it there is nothing to refuse it for. */
const kept: Omit<Variant, 'title'> = {
  leaves: 'settled',
  carriesNext: true,
  moments: ['ask-open', 'second-of-two'],
  perform,
};

/** Another message is sent instead of answering the ask: by each of the three legal treatments. */
export const newMessage: Action = {
  name: 'new-message',
  title,
  variants: {
    plain: { title, leaves: 'settled', carriesNext: true, perform },
    refuse: { title: `${title}, which the client refuses`, ...kept },
    queue: { title: `${title}, which the client queues`, ...kept },
  },
};
