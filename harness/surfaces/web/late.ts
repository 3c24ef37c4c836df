import type { ElementHandle } from '@playwright/test';
import type { AnswerOutcome, LateRoute } from '../driver.ts';

type Decision = 'approve' | 'deny';

/** An element of a page, kept beyond the moment in which it was looked up. */
export type Handle = ElementHandle<SVGElement | HTMLElement>;

/**
 * Element handles of the live controls, kept from before the supersession and pressed afterwards: what a click does that
 * was already on its way. A detached element may still carry its handler. When the page has given the element to another
 * ask, there is nothing left that was drawn for the old one.
 *
 * @param handles one stored handle per decision
 * @param token the old call's token, which its card shows
 * @param heard runs the click and gives what the client answered to it, or nothing when nothing happened
 */
export function storedElement(
  handles: Record<Decision, Handle>,
  token: string,
  heard: (click: () => Promise<void>) => Promise<AnswerOutcome | undefined>,
): LateRoute {
  return {
    route: 'stored-element',
    press: async (decision) => {
      const handle = handles[decision];
      const place = await whereIs(handle, token);
      if (place === 'lost') return { outcome: 'gone', detail: 'the page that held the element is gone' };
      if (place === 'reused')
        return { outcome: 'gone', detail: 'the page uses the element for the next ask' };
      const outcome = await heard(() => handle.evaluate((element) => (element as HTMLElement).click()));
      if (outcome) return outcome;
      return place === 'detached'
        ? { outcome: 'gone', detail: 'the element was off the page, and pressing it did nothing' }
        : { outcome: 'inert', detail: 'the element was still on the page, and pressing it did nothing' };
    },
  };
}

/** Where the element is by now; `lost` when its document is gone, as after a reload. */
async function whereIs(handle: Handle, token: string): Promise<'attached' | 'detached' | 'reused' | 'lost'> {
  try {
    return await handle.evaluate((element, mine) => {
      if (!element.isConnected) return 'detached';
      for (let up: Element | null = element; up; up = up.parentElement) {
        if (up.textContent?.includes(mine)) return 'attached';
        if (/canary-/.test(up.textContent ?? '')) return 'reused';
      }
      return 'attached';
    }, token);
  } catch (error) {
    if (/context was destroyed|context with specified id|navigation/i.test((error as Error).message))
      return 'lost';
    throw error;
  }
}
