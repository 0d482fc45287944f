import type { Page } from 'playwright-core';

/** The smallest width and height in pixels. WCAG 2.5.8 (AA) asks for 24, WCAG 2.5.5 (AAA) for 44. */
export const TARGET_MINIMUM = { mouse: 24, touch: 44 } as const;

/** Rounding of positions in the browser. */
const TOLERANCE = 0.1;

/**
 * Links in running text are exempt. A tile of a treemap has the area of its amount, and the table below it has the same
 * links. A check box is as large as the label around it.
 */
const smallTargetsIn = (scope: string, minimum: number): string => `
  [...document.querySelectorAll('${scope}')].flatMap((root) =>
    [...root.querySelectorAll('a[href], button:not(.tile), input, select, textarea, summary, [role="button"]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => !(
        getComputedStyle(element).display === 'inline' &&
        [...element.parentElement.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '')
      ))
      .flatMap((element) => {
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
        if (Math.min(width, height) >= ${minimum - TOLERANCE}) return [];
        const name = element.getAttribute('aria-label') ?? element.textContent.trim();
        return [\`\${element.localName} "\${name || element.name}": \${Math.round(width)} x \${Math.round(height)}\`];
      }),
  )
`;

/** The links, buttons and fields below an element that are smaller than they have to be, with their names and sizes. */
export const smallTargets = (page: Page, minimum: number, scope = 'body'): Promise<string[]> =>
  page.evaluate(smallTargetsIn(scope, minimum));

/** Makes the device a touch screen, as `hasTouch` of a new context does, without signing in again. */
export const useTouch = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
};
