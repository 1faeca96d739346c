// StatesCrawljax.java URL SECONDS OUT - crawl URL by Crawljax with its default clicks for SECONDS; the DOM of each state is OUT/N.html, its URL a line of OUT/urls.
import com.crawljax.browser.EmbeddedBrowser.BrowserType;
import com.crawljax.browser.WebDriverBackedEmbeddedBrowser;
import com.crawljax.core.CrawlerContext;
import com.crawljax.core.CrawljaxRunner;
import com.crawljax.core.configuration.BrowserConfiguration;
import com.crawljax.core.configuration.CrawljaxConfiguration;
import com.crawljax.core.plugin.OnNewStatePlugin;
import com.crawljax.core.state.StateVertex;
import com.google.common.collect.ImmutableSortedSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;

public class StatesCrawljax {
	static Path out;

	static class Keep implements OnNewStatePlugin {
		public void onNewState(CrawlerContext context, StateVertex state) {
			try {
				Files.writeString(out.resolve(state.getId() + ".html"), state.getDom());
				Files.writeString(out.resolve("urls"), state.getUrl() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
			} catch (java.io.IOException e) {
				throw new java.io.UncheckedIOException(e);
			}
		}
	}

	/* A session that somebody else began: a file of Netscape's in the property "cookies". */
	static void login(ChromeDriver driver, String url) {
		Path file = Path.of(System.getProperty("cookies", ""));
		if (!Files.isRegularFile(file))
			return;
		try {
			driver.get(url);
			for (String line : Files.readAllLines(file)) {
				String[] part = line.split("\t");
				if (part.length >= 7)
					driver.manage().addCookie(new org.openqa.selenium.Cookie(part[5], part[6], "/"));
			}
		} catch (java.io.IOException e) {
			throw new java.io.UncheckedIOException(e);
		}
	}

	public static void main(String[] args) throws Exception {
		out = Files.createDirectories(Path.of(args[2]));
		var builder = CrawljaxConfiguration.builderFor(args[0]);
		builder.crawlRules().clickDefaultElements();
		builder.setUnlimitedStates().setUnlimitedCrawlDepth().setMaximumRunTime(Long.parseLong(args[1]), TimeUnit.SECONDS);
		/* Started before the clock is. */
		var options = new ChromeOptions();
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800", "--remote-allow-origins=*");
		var driver = new ChromeDriver(options);
		login(driver, args[0]);
		builder.setBrowserConfig(new BrowserConfiguration(BrowserType.CHROME_HEADLESS, 1,
			() -> WebDriverBackedEmbeddedBrowser.withDriver(driver, ImmutableSortedSet.of(), 500, 500)));
		builder.setOutputDirectory(out.resolve("crawljax").toFile());
		builder.addPlugin(new Keep());
		new CrawljaxRunner(builder.build()).call();
		System.exit(0);
	}
}
