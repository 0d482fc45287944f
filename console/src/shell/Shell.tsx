import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Icon } from '../components/Icon.tsx';
import { Brand } from './Brand.tsx';
import { Navigation } from './Navigation.tsx';
import { PageBoundary } from './PageBoundary.tsx';

/** The frame around the pages: navigation at the side, or in a drawer on a phone. */
export const Shell = ({ children }: { children: ReactNode }) => {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the page changes.
  useEffect(() => {
    setOpen(false);
    if (!isFirst.current) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [path]);

  useEffect(() => {
    if (!isOpen) return;
    const close = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setOpen(false);
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [isOpen]);

  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="topbar">
        <Brand />
        <button
          type="button"
          className="icon-button"
          aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} size={22} />
        </button>
      </header>
      {isOpen && (
        <button type="button" className="veil" aria-label="Close navigation" onClick={() => setOpen(false)} />
      )}
      <Navigation isOpen={isOpen} />
      <main id="main" ref={main} tabIndex={-1}>
        <PageBoundary key={path}>{children}</PageBoundary>
      </main>
    </div>
  );
};
