import type { ElementHandle } from '@playwright/test';
import type { AnswerOutcome, LateRoute } from '../driver.ts';

/** Names of a client's two answers, as its live controls are labelled. */
export interface Labels {
  approve: string;
  deny: string;
}

/**
 * An element handle of a live control, kept from before the supersession and pressed afterwards: what an answer that
 * was already on its way does. A detached element may still carry its handler.
 *
 * @param handles one stored handle per decision
 * @param refusal reads what the page says about it, if it says anything
 */
export function storedElement(
  handles: Record<'approve' | 'deny', ElementHandle<HTMLElement | SVGElement>>,
  refusal: () => Promise<string | undefined>,
): LateRoute {
  return {
    route: 'stored-element',
    press: async (decision): Promise<AnswerOutcome> => {
      const connected = await handles[decision].evaluate((element) => {
        (element as HTMLElement).click();
        return element.isConnected;
      });
      const said = await refusal();
      if (said) return { outcome: 'refused', detail: said };
      return {
        outcome: 'inert',
        detail: connected ? 'pressed, nothing said' : 'the element was no longer on the page',
      };
    },
  };
}
