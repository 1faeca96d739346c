import './App.svelte';
