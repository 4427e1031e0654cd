//! A part of a trace as words, from the worker that read it to the one that joins the parts.

use std::sync::Arc;

use super::chunk::Chunk;
use super::columns::Object;
use super::growing::Growing;
use super::{Builder, Place};
use crate::text::{Words, WordsRead};

impl Builder {
    /// Writes what was read; labels, name and size are those of the whole and not written.
    pub fn write(mut self, words: &mut Words) {
        for growing in &mut self.threads {
            growing.close(&mut self.shapes);
            growing.seal();
        }
        words.number(self.duration_ns);
        words.number(u64::from(self.cut));
        words.number(u64::from(self.generated));
        words.number(self.provenance.objects_dropped);
        words.column(&self.codes.iter().map(|(code, _)| *code).collect::<Vec<_>>());
        words.number(self.shapes.len() as u64);
        for shape in 0..self.shapes.len() as u32 {
            words.column(self.shapes.types(shape));
        }
        words.number(self.threads.len() as u64);
        for growing in &self.threads {
            let Object { application, task, thread } = growing.object;
            words.column(&[application, task, thread]);
            growing.write(words);
        }
        let notices = self.notices.iter().collect::<Vec<_>>();
        words.number(notices.len() as u64);
        for notice in notices {
            words.text(&notice.text);
            words.number(notice.count);
            words.text(&notice.first.of);
            words.number(notice.first.line);
            words.number(u64::from(notice.is_damage));
        }
    }

    /// Reads a part of this trace; `None` if that is not what was written.
    pub fn read_part(&self, words: &mut WordsRead<'_>) -> Option<Self> {
        let mut part = self.part();
        part.duration_ns = words.number()?;
        part.cut = words.number()? != 0;
        part.generated = words.number()? != 0;
        part.provenance.objects_dropped = words.number()?;
        for code in words.column()? {
            part.looked_up(code);
        }
        for _ in 0..words.count()? {
            part.shapes.of(&words.column()?);
        }
        for _ in 0..words.count()? {
            let [application, task, thread] = words.column()?.try_into().ok()?;
            let index = part.thread(Object { application, task, thread }).0;
            part.threads.get_mut(index)?.read(words)?;
        }
        for _ in 0..words.count()? {
            let (text, count) = (words.text()?, words.number()?);
            let first = Place { of: words.text()?, line: words.number()? };
            let is_damage = words.number()? != 0;
            part.notices.count(&text, count, is_damage, || first);
        }
        Some(part)
    }
}

impl Growing {
    fn write(&self, words: &mut Words) {
        words.number(u64::from(self.sorted));
        words.number(u64::from(self.ends_in_zeros));
        words.number(u64::from(self.span_ns.is_some()));
        let (first, last) = self.span_ns.unwrap_or_default();
        words.number(first);
        words.number(last);
        let running = self.running.as_they_came();
        words.number(running.len() as u64);
        running.as_flattened().iter().for_each(|time| words.number(*time));
        words.number(self.full.len() as u64);
        for chunk in &self.full {
            words.number(chunk.start_ns);
            for column in [&chunk.times, &chunk.shapes, &chunk.words] {
                words.column(column);
            }
            words.halves(&chunk.first);
        }
    }

    fn read(&mut self, words: &mut WordsRead<'_>) -> Option<()> {
        self.sorted = words.number()? != 0;
        self.ends_in_zeros = words.number()? != 0;
        let spans = words.number()? != 0;
        let span_ns = (words.number()?, words.number()?);
        self.span_ns = spans.then_some(span_ns);
        for _ in 0..words.count()? {
            let [begin, end] = [words.number()?, words.number()?];
            self.running.add(begin, end);
        }
        for _ in 0..words.count()? {
            let start_ns = words.number()?;
            let [times, shapes, values] = [words.column()?, words.column()?, words.column()?];
            let first = words.halves()?;
            self.full.push(Arc::new(Chunk { start_ns, times, shapes, first, words: values }));
        }
        Some(())
    }
}
