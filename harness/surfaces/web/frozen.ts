import type { Page } from '@playwright/test';
import { inject } from './inject.ts';

const FREEZE = 'handoff-freeze';

/**
 * Makes a page able to be cut off from what its server pushes, as a window is that wakes from sleep or lost its
 * stream: everything else, answers included, still goes through. Call before the first navigation.
 */
export async function freezable(page: Page): Promise<void> {
  await inject(page, patch, JSON.stringify(FREEZE));
}

/** From now on the page hears nothing more. */
export async function freeze(page: Page): Promise<void> {
  await page.evaluate((name) => void window.dispatchEvent(new Event(name)), FREEZE);
}

/** Runs inside the page. Covers the three ways in which servers push: EventSource, WebSocket, streamed fetch. */
function patch(freezeEvent: string): void {
  let frozen = false;
  window.addEventListener(freezeEvent, () => {
    frozen = true;
  });
  const deaf = <T extends { new (...args: never[]): EventTarget }>(Base: T): T =>
    class extends (Base as { new (...args: never[]): EventTarget }) {
      constructor(...args: never[]) {
        super(...args);
        // The first listener of all: once frozen, no later one hears anything.
        for (const type of ['message', 'error', 'close', 'open'])
          super.addEventListener(type, (event) => {
            if (frozen) event.stopImmediatePropagation();
          });
      }
      override addEventListener(type: string, listener: EventListener, options?: AddEventListenerOptions) {
        super.addEventListener(type, (event) => void (frozen || listener.call(this, event)), options);
      }
    } as unknown as T;
  window.EventSource = deaf(window.EventSource);
  window.WebSocket = deaf(window.WebSocket);
  const realFetch = window.fetch;
  window.fetch = async (...args) => {
    const response = await realFetch(...args);
    if (!response.headers.get('content-type')?.includes('event-stream') || !response.body) return response;
    const mute = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => void (frozen || controller.enqueue(chunk)),
    });
    return new Response(response.body.pipeThrough(mute), response);
  };
}
