// The browser's storage: the database of games and the bots, in IndexedDB. Where it is forbidden or
// full, an error says so, and the page goes on without.
const NAME = 'turf';
const TABLE = 'kept';

const promise = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

function explain(error) {
  if (error?.name === 'QuotaExceededError')
    return new Error(
      'The browser’s storage is full: games from now on are lost when this page is closed. ' +
        'Export what you want to keep.',
    );
  return new Error(
    'This browser does not let the page keep anything: games are lost when it is closed. ' +
      'Export what you want to keep.',
  );
}

export function makeStorage() {
  let opened;
  const open = () => {
    opened ??= (async () => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
      return promise(request);
    })();
    return opened;
  };

  async function change(mode, work) {
    try {
      const transaction = (await open()).transaction(TABLE, mode);
      const done = new Promise((ok, failed) => {
        transaction.oncomplete = ok;
        transaction.onabort = () => failed(transaction.error);
      });
      const result = await work(transaction.objectStore(TABLE));
      await done;
      return result;
    } catch (error) {
      throw explain(error);
    }
  }

  return {
    // {database, bots}, each undefined if it was never written.
    read: () =>
      change('readonly', async (table) => {
        const [database, bots] = await Promise.all([
          promise(table.get('database')),
          promise(table.get('bots')),
        ]);
        return { database, bots };
      }),
    write: (values) =>
      change('readwrite', async (table) => {
        for (const [key, value] of Object.entries(values)) table.put(value, key);
      }),
  };
}
