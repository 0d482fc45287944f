import { prepareChromium } from './chromium.ts';

/** Unpacks the browser once before the tests, so that no two processes do it at the same time. */
export default function unpackOnce(): void {
  prepareChromium();
}
