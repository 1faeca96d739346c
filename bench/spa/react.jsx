// 300 records behind client routing; the list grows while it is scrolled (IntersectionObserver).
import React, { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Link, Route, Routes, useParams } from 'react-router-dom';

function List() {
  const [records, setRecords] = useState([]);
  const [page, setPage] = useState(0);
  const end = useRef(null);
  useEffect(() => {
    fetch(`/api/records?page=${page}`).then((r) => r.json()).then((more) => setRecords((all) => {
      const known = new Set(all.map((r) => r.id));
      return [...all, ...more.filter((r) => !known.has(r.id))];
    }));
  }, [page]);
  useEffect(() => {
    const seen = new IntersectionObserver((entries) => entries[0].isIntersecting && setPage((p) => (records.length >= (p + 1) * 20 ? p + 1 : p)));
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [records]);
  return <main><h1>Records</h1>{records.map((r) => <article key={r.id} style={{ height: 120 }}><Link to={`/record/${r.id}`}>{r.title}</Link></article>)}<div ref={end}>...</div></main>;
}

function Detail() {
  const { id } = useParams();
  const [record, setRecord] = useState(null);
  useEffect(() => { fetch(`/api/records/${id}`).then((r) => r.json()).then(setRecord); }, [id]);
  return record ? <main><h1>{record.title}</h1><p>{record.text}</p></main> : <p>Loading</p>;
}

createRoot(document.getElementById('root')).render(<BrowserRouter><nav><Link to="/">Home</Link></nav><Routes><Route path="/" element={<List />} /><Route path="/record/:id" element={<Detail />} /></Routes></BrowserRouter>);
