import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A modal dialog of the browser: it holds the focus, Escape closes it, and the focus returns to what opened it. */
export const Dialog = ({ title, isWide = false, close, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element?.open === false) element.showModal();
    // The browser returns the focus when a dialog is closed, not when it is taken off the page.
    return () => element?.close();
  }, []);
  // In development, React runs the effect twice. The event of the first end arrives when the dialog is open again.
  const onClose = (): void => {
    if (dialog.current?.open === false) close();
  };
  return (
    <dialog ref={dialog} className={isWide ? 'wide' : ''} aria-labelledby={id} onClose={onClose}>
      <div className="body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};
