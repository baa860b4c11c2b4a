import { useEffect } from 'react';

/** Sets the page's theme. `system` follows the operating system's setting and its changes. */
export function useTheme(theme: 'system' | 'light' | 'dark'): void {
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      document.documentElement.dataset.theme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
    };
    apply();
    dark.addEventListener('change', apply);
    return () => dark.removeEventListener('change', apply);
  }, [theme]);
}
